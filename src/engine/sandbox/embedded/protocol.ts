import type { Path } from "../../../fs/path.ts";

/**
 * What the engine and the shell's worker say to each other, in order, over one port.
 *
 * - `put` and `drop` bring the worker's tree up to date; they are never echoed back as changes.
 * - For every change that a command makes, the worker posts `write`, `append` or `remove` before the command goes on, so that
 *   killing the worker loses no change. An `append` follows a `write` or `append` of the same path in the same command.
 * - One command runs at a time: `run` is answered by `started` at once and by `done` at its end.
 */
export type ToShell =
  /** `bytes` null: the shell asks for them when a command reads the file. */
  | { readonly type: "put"; readonly path: Path; readonly bytes: Uint8Array | null; readonly size: number; readonly mtime: number }
  | { readonly type: "drop"; readonly path: Path }
  | {
      readonly type: "run";
      readonly command: string;
      /** Absolute; the project's folder when it is gone. */
      readonly folder: string;
      /** Milliseconds. */
      readonly timeoutMs: number;
      /** UTF-8 bytes, each of stdout and stderr. */
      readonly maxBytes: number;
    }
  | { readonly type: "abort" }
  /** The answer to `need`; null: the file is gone. */
  | { readonly type: "content"; readonly path: Path; readonly bytes: Uint8Array | null };

export type FromShell = FileOp | { readonly type: "need"; readonly path: Path } | { readonly type: "started" } | ShellDone;

export type FileOp =
  | { readonly type: "write"; readonly path: Path; readonly bytes: Uint8Array }
  | { readonly type: "append"; readonly path: Path; readonly bytes: Uint8Array }
  | { readonly type: "remove"; readonly path: Path };

export interface ShellDone {
  readonly type: "done";
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly limit: "time" | "output" | null;
  readonly aborted: boolean;
  /** The working directory at the end, absolute. */
  readonly folder: string;
}

/** The project's folder in the shell. */
export const projectFolder = "/project";
