/** A page around one sandbox, as the engine's worker has it; the benchmark drives it from outside. */
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
  /** A new sandbox over these files. */
  open(files: readonly (readonly [path: string, text: string])[]): Promise<void>;
  /** Runs a command and keeps nothing of it. `abortAfter`: milliseconds. */
  run(command: string, abortAfter?: number): Promise<Ran>;
}

declare global {
  interface Window {
    bench: SandboxBench;
  }
}

let sandbox: ReturnType<typeof embeddedSandbox> | null = null;

window.bench = {
  async open(contents) {
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
