import type { AgentsParts } from "../agents.ts";
import { systemTimers } from "../providers/deps.ts";
import { browserAssets } from "./browser-assets.ts";
import { createShellWorker } from "./create-worker.ts";
import { aboutEmbedded } from "./embedded/about.ts";
import { openSandboxDesk, type SandboxChoice } from "./desk.ts";
import { embeddedSandbox, type Timers } from "./embedded/embedded.ts";
import type { SandboxFiles } from "./sandbox.ts";

/**
 * What commands run in, with a browser's workers and clock. The embedded one's worker is made when the first command runs. `openComputer`
 * gives a port to the page, which boots a computer at its other end.
 */
export async function browserSandbox(
  files: SandboxFiles,
  choice: SandboxChoice,
  openComputer: (port: MessagePort) => void,
): Promise<Pick<AgentsParts, "sandbox" | "sandboxAbout" | "sandboxDesk">> {
  const timers: Timers = { now: () => performance.now(), after: (ms, callback) => systemTimers.after(ms, callback) };
  const embedded = embeddedSandbox({ files, createWorker: createShellWorker, assets: browserAssets, timers });
  const { sandbox, about, desk } = await openSandboxDesk({
    embedded,
    aboutEmbedded,
    choice,
    async loadWebContainer(changed) {
      const { browserWebContainer } = await import("./webcontainer/browser.ts");
      return browserWebContainer({ files, timers, changed, openComputer });
    },
  });
  return { sandbox, sandboxAbout: about, sandboxDesk: desk };
}
