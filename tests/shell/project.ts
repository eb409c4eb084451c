import { systemTimers } from "../../src/engine/providers/deps.ts";
import { embeddedSandbox } from "../../src/shell/embedded/embedded.ts";
import type { Timers } from "../../src/shell/timers.ts";
import type { ProgramsParts, WorkerLike } from "../../src/shell/embedded/shell-worker.ts";
import type { RunOptions, RunOutcome, Sandbox } from "../../src/shell/sandbox.ts";
import type { Files } from "../../src/fs/files.ts";
import { memoryFiles } from "../../src/fs/memory.ts";
import { path } from "../fs/notation.ts";
import { testAssets } from "./assets.ts";

export type Content = string | Uint8Array;

export interface TestProject {
  readonly files: Files;
  readonly sandbox: Sandbox;
  readonly put: (name: string, content: Content) => Promise<number>;
  /** Runs a command with a limit of 20 s, and commits nothing. */
  readonly run: (command: string, options?: Partial<RunOptions>) => Promise<RunOutcome>;
  /** Runs a command and commits its changes as they are. */
  readonly runAndKeep: (command: string, options?: Partial<RunOptions>) => Promise<RunOutcome>;
}

/** A dialog's content is fetched when a command reads it. So a test learns how far a command has come. */
export const dialogName = "vibey/dialog-20260101-000000-start-done.md";

export interface ProjectOptions {
  readonly createWorker: () => WorkerLike;
  readonly contents?: Readonly<Record<string, Content>>;
  readonly timers?: Timers;
  /** Runs programs in the browser's engine. */
  readonly programs?: ProgramsParts;
  /** Called in a separate task after a command has read `dialogName`. */
  readonly onDialogRead?: () => void;
}

export async function project({
  createWorker,
  contents = {},
  timers = systemTimers,
  programs,
  onDialogRead,
}: ProjectOptions): Promise<TestProject> {
  const files = memoryFiles({ now: () => Date.UTC(2026, 0, 1) });
  const sandbox = embeddedSandbox({
    files: {
      watch: (listener) => files.watch(listener),
      list: () => files.list(),
      read: (at) => files.read(at),
      readMany(paths) {
        if (onDialogRead && paths.some((at) => at === dialogName)) setTimeout(onDialogRead);
        return files.readMany(paths);
      },
    },
    createWorker,
    timers,
    assets: testAssets,
    ...(programs && { programs }),
  });
  const put = async (name: string, data: Content): Promise<number> => {
    const done = await files.commit([{ op: "write", path: path(name), data }], { durability: "relaxed" });
    if (!done.ok) throw new Error(done.failure.kind);
    return done.version;
  };
  for (const [name, content] of Object.entries(contents)) await put(name, content);
  const run = (command: string, options: Partial<RunOptions> = {}): Promise<RunOutcome> =>
    sandbox.run(command, { session: "one", timeoutMs: 20_000, maxBytes: 1_000_000, signal: new AbortController().signal, ...options });

  async function commit({ changes }: RunOutcome): Promise<void> {
    const done = await files.commit(
      changes.map(({ path: at, bytes }) => (bytes === null ? { op: "remove", path: at } : { op: "write", path: at, data: bytes })),
      { durability: "relaxed", expect: changes.map(({ path: at, base }) => ({ path: at, version: base })) },
    );
    if (!done.ok) throw new Error(done.failure.kind);
  }

  return { files, sandbox, put, run, runAndKeep: (command, options) => run(command, { ...options, commit }) };
}

/** `name=text` for each change and `name gone` for a removal, sorted. */
export function changed(outcome: RunOutcome): string[] {
  return outcome.changes
    .map(({ path: at, bytes }) => (bytes === null ? `${at} gone` : `${at}=${new TextDecoder().decode(bytes)}`))
    .toSorted();
}
