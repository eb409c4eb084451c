import type { AgentsParts } from "./agents.ts";
import { systemTimers } from "./providers/deps.ts";
import { browserAssets } from "../shell/browser-assets.ts";
import { createShellWorker, shellScript } from "../shell/create-worker.ts";
import { aboutEmbedded } from "../shell/embedded/about.ts";
import { openSandboxDesk, type SandboxChoice } from "../shell/desk.ts";
import { embeddedSandbox } from "../shell/embedded/embedded.ts";
import type { Timers } from "../shell/timers.ts";
import { createAsker } from "../shell/embedded/parts/asker.ts";
import { comesWithPolicy, createPolicyWait } from "../shell/policy.ts";
import type { SandboxFiles } from "../shell/sandbox.ts";

/**
 * What commands run in, with a browser's workers and clock. The embedded one's worker is made when the first command runs. `openComputer`
 * gives a port to the page, which boots a computer at its other end; `askForServiceWorker` has the page register it now.
 */
export async function browserSandbox(
  files: SandboxFiles,
  choice: SandboxChoice,
  openComputer: (port: MessagePort) => void,
  askForServiceWorker: () => void,
): Promise<Pick<AgentsParts, "sandbox" | "sandboxAbout" | "sandboxDesk">> {
  const timers: Timers = { now: () => performance.now(), after: (ms, callback) => systemTimers.after(ms, callback) };
  // What serves the sources while Vibey is developed sends no headers.
  const isBuilt = !shellScript.includes("worker_file");
  const policy = isBuilt ? createPolicyWait(() => comesWithPolicy(shellScript), timers, askForServiceWorker) : null;
  // A worker that runs a command is asked nothing: what ran in it could answer.
  const asker = createAsker(createShellWorker, (ms, callback) => timers.after(ms, callback));
  const embedded = embeddedSandbox({
    files,
    createWorker: createShellWorker,
    assets: browserAssets,
    timers,
    asker,
    ...(policy && { policy }),
  });
  const { sandbox, about, desk } = await openSandboxDesk({
    embedded,
    aboutEmbedded,
    choice,
    async loadWebContainer(changed) {
      const { browserWebContainer } = await import("../shell/webcontainer/browser.ts");
      return browserWebContainer({ files, timers, changed, openComputer });
    },
  });
  return { sandbox, sandboxAbout: about, sandboxDesk: desk };
}
