import type { AgentsParts } from "./agents.ts";
import { systemTimers } from "./providers/deps.ts";
import { browserAssets } from "../shell/browser-assets.ts";
import { createShellWorker, shellScript } from "../shell/create-worker.ts";
import { aboutEmbedded } from "../shell/embedded/about.ts";
import { openSandboxSelector, type SandboxChoice } from "../shell/sandbox-selector.ts";
import { embeddedSandbox } from "../shell/embedded/embedded.ts";
import type { Timers } from "../shell/timers.ts";
import { createAsker } from "../shell/embedded/parts/asker.ts";
import { comesWithPolicy, createPolicyWait } from "../shell/policy.ts";
import type { NodeEngine } from "../protocol/index.ts";
import type { SandboxFiles } from "../shell/sandbox.ts";

export interface BrowserSandboxParts {
  readonly files: SandboxFiles;
  readonly choice: SandboxChoice;
  /** Stores which engine runs `node` programs. */
  readonly node: { read(): Promise<NodeEngine>; write(engine: NodeEngine): Promise<void> };
  /** Gives a port to the page, which boots a WebContainer at its other end. */
  readonly openWebContainer: (port: MessagePort) => void;
  /** Gives a port to a new frame of the page. Returns a function that removes the frame. */
  readonly openPrograms: (port: MessagePort) => () => void;
  /** Asks the page to register the service worker now. */
  readonly askForServiceWorker: () => void;
}

/** The sandbox for commands, with a browser's workers and clock. The embedded sandbox creates its worker when the first command runs. */
export async function browserSandbox({
  files,
  choice,
  node,
  openWebContainer,
  openPrograms,
  askForServiceWorker,
}: BrowserSandboxParts): Promise<Pick<AgentsParts, "sandbox" | "sandboxAbout" | "sandboxSelector">> {
  const timers: Timers = { now: () => performance.now(), after: (ms, callback) => systemTimers.after(ms, callback) };
  // The dev server sends no headers.
  const isBuilt = !shellScript.includes("worker_file");
  const policy = isBuilt ? createPolicyWait(() => comesWithPolicy(shellScript), timers, askForServiceWorker) : null;
  // Questions go to a worker of their own: in a worker that runs a command, the command could forge the answer.
  const asker = createAsker(createShellWorker, (ms, callback) => timers.after(ms, callback));
  let engine = await node.read();
  const embedded = embeddedSandbox({
    files,
    programs: {
      wanted: () => engine === "browser",
      open() {
        const { port1, port2 } = new MessageChannel();
        return { port: port1, close: openPrograms(port2) };
      },
    },
    createWorker: createShellWorker,
    assets: browserAssets,
    timers,
    asker,
    ...(policy && { policy }),
  });
  const { sandbox, about, selector } = await openSandboxSelector({
    embedded,
    aboutEmbedded,
    choice,
    node: {
      current: () => engine,
      async choose(chosen) {
        await node.write(chosen);
        engine = chosen;
      },
    },
    async loadWebContainer(changed) {
      const { browserWebContainer } = await import("../shell/webcontainer/browser.ts");
      return browserWebContainer({ files, timers, changed, openWebContainer });
    },
  });
  return { sandbox, sandboxAbout: about, sandboxSelector: selector };
}
