import type { AgentsParts } from "../agents.ts";
import { systemTimers } from "../providers/deps.ts";
import { browserAssets } from "./browser-assets.ts";
import { createShellWorker } from "./create-worker.ts";
import { aboutEmbedded } from "./embedded/about.ts";
import { embeddedSandbox } from "./embedded/embedded.ts";
import type { SandboxFiles } from "./sandbox.ts";

/** The embedded sandbox with a browser's worker and clock. The worker is made when the first command runs. */
export function browserSandbox(files: SandboxFiles): Pick<AgentsParts, "sandbox" | "sandboxAbout"> {
  const sandbox = embeddedSandbox({
    files,
    createWorker: createShellWorker,
    assets: browserAssets,
    timers: { now: () => performance.now(), after: (ms, callback) => systemTimers.after(ms, callback) },
  });
  return { sandbox, sandboxAbout: aboutEmbedded };
}
