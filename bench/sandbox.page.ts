/** A page around one sandbox, set up as in the engine's worker. The benchmark drives it from outside. */
import { systemTimers } from "../src/engine/providers/deps.ts";
import { browserAssets } from "../src/shell/browser-assets.ts";
import { createShellWorker } from "../src/shell/create-worker.ts";
import { embeddedSandbox } from "../src/shell/embedded/embedded.ts";
import type { RunOptions } from "../src/shell/sandbox.ts";
import { memoryFiles } from "../src/fs/memory.ts";
import { parsePath } from "../src/fs/path.ts";

export interface Ran {
  readonly ms: number;
  readonly exitCode: number;
  readonly stderr: string;
}

export interface SandboxBench {
  /** A new sandbox with these files. `inFrame`: `node` programs run on the browser's own JavaScript engine. */
  open(files: readonly (readonly [path: string, text: string])[], inFrame?: boolean): Promise<void>;
  /** Runs a command and discards its output. `abortAfter`: milliseconds. */
  run(command: string, abortAfter?: number): Promise<Ran>;
}

declare global {
  interface Window {
    bench: SandboxBench;
  }
}

/** The same as in the app: see src/app/engine-client/program-frames.ts. */
function openPrograms() {
  const { port1, port2 } = new MessageChannel();
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = "program/index.html";
  frame.addEventListener("load", () => frame.contentWindow?.postMessage("hello", "*", [port2]), { once: true });
  document.body.append(frame);
  return { port: port1, close: () => frame.remove() };
}

let sandbox: ReturnType<typeof embeddedSandbox> | null = null;

window.bench = {
  async open(contents, inFrame = false) {
    sandbox?.dispose();
    const files = memoryFiles({ now: () => Date.now() });
    const changes = contents.map(([name, data]) => {
      const parsed = parsePath(name);
      if (!parsed.ok) throw new Error(parsed.failure.why);
      return { op: "write", path: parsed.path, data } as const;
    });
    await files.commit(changes, { durability: "relaxed" });
    sandbox = embeddedSandbox({
      files,
      createWorker: createShellWorker,
      assets: browserAssets,
      programs: { wanted: () => inFrame, open: openPrograms },
      timers: { now: () => performance.now(), after: (ms, callback) => systemTimers.after(ms, callback) },
    });
  },
  async run(command, abortAfter) {
    if (sandbox === null) throw new Error("open comes first");
    const options: RunOptions = {
      session: "bench",
      timeoutMs: 60_000,
      maxBytes: 10_000_000,
      signal: abortAfter === undefined ? new AbortController().signal : AbortSignal.timeout(abortAfter),
    };
    const started = performance.now();
    const { exitCode, stderr } = await sandbox.run(command, options);
    return { ms: performance.now() - started, exitCode, stderr };
  },
};
