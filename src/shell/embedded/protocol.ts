import type { Path } from "../../fs/path.ts";
import type { FromPorts, ToPorts } from "./loopback/messages.ts";
import type { AssetName } from "../assets.ts";
import type { NetAnswer, NetRequest } from "../network.ts";
import type { LiveOutput, Printed } from "../sandbox.ts";

/**
 * What the engine and the shell's worker say to each other, in order, over one port.
 *
 * - `put` and `drop` bring the worker's tree up to date; they are never echoed back as changes.
 * - For every change that a command makes, the worker posts `write`, `append` or `remove` before the command continues, so that
 *   killing the worker loses no change. An `append` follows a `write` or `append` of the same path in the same command.
 * - One command runs at a time: `run` is answered by `started` at once and by `done` at its end.
 * - A `follow` may come while a command runs: `write`, `append` and `remove` that come before its `followed` were done to what was there before.
 * - `fetch`, `asset`, `background` and `programs` are answered by `fetched`, `loaded`, `answered` and `programs` of the same id. An id is never used again in
 *   one worker; what is asked by a command that has ended is not answered.
 */
export type ToShell =
  | { readonly type: "put"; readonly files: readonly PutFile[] }
  | { readonly type: "drop"; readonly path: Path }
  /** The same while a command runs, at once; answered by `followed`. What the command does to these files after that is done to what it was given. */
  | { readonly type: "follow"; readonly id: number; readonly put: readonly PutFile[]; readonly drop: readonly Path[] }
  | {
      readonly type: "run";
      readonly command: string;
      /** Absolute; the project's folder when it is gone. */
      readonly folder: string;
      /** What the session's commands before this one exported. */
      readonly env: Readonly<Record<string, string>>;
      /** Milliseconds. */
      readonly timeoutMs: number;
      /** UTF-8 bytes, each of stdout and stderr. */
      readonly maxBytes: number;
      /** UTF-16 units that are shown while it runs, before less of it is; see `createLiveSender`. */
      readonly liveCharacters: number;
    }
  | { readonly type: "abort" }
  /** The answers to `need`s, and perhaps what may be needed next; null: the file is gone. */
  | { readonly type: "content"; readonly files: readonly { readonly path: Path; readonly bytes: Uint8Array | null }[] }
  | { readonly type: "fetched"; readonly id: number; readonly answer: NetAnswer }
  /** `bytes` null: it could not be had, for the reason given. */
  | { readonly type: "loaded"; readonly id: number; readonly bytes: Uint8Array | null; readonly why: string }
  /** The command's time stands still, or continues. */
  | { readonly type: "clock"; readonly running: boolean }
  | { readonly type: "answered"; readonly id: number; readonly answer: Printed }
  /** `on`: `node` runs in the browser's engine. `port`: of a frame for it; null: the worker has one, or needs none. */
  | { readonly type: "programs"; readonly id: number; readonly on: boolean; readonly port: MessagePort | null }
  /** Of the dialog's ports. */
  | { readonly type: "ports"; readonly message: FromPorts }
  /** In place of a command, in a worker that has run none: answered by `prepared`. */
  | { readonly type: "prepare" };

export interface PutFile {
  readonly path: Path;
  /** null: the shell asks for them when a command reads the file. */
  readonly bytes: Uint8Array | null;
  readonly size: number;
  readonly mtime: number;
}

export type FromShell =
  /** The memory of a Python that has started; null: it did not, for the reason given. */
  | { readonly type: "prepared"; readonly bytes: Uint8Array | null; readonly why: string }
  | FileOp
  | { readonly type: "need"; readonly path: Path }
  | { readonly type: "followed"; readonly id: number }
  | { readonly type: "started" }
  | ShellDone
  | { readonly type: "fetch"; readonly id: number; readonly request: NetRequest }
  | { readonly type: "asset"; readonly id: number; readonly name: AssetName }
  | { readonly type: "output"; readonly output: LiveOutput }
  /** Where programs of `node` run. `fresh`: the worker has no frame for them, or its frame is gone. */
  | { readonly type: "programs"; readonly id: number; readonly fresh: boolean }
  /** Of the dialog's ports, which programs of all its commands share. */
  | { readonly type: "ports"; readonly message: ToPorts }
  /** The command `background` with these operands. */
  | { readonly type: "background"; readonly id: number; readonly operands: readonly string[] };

export type FileOp =
  /** `keeps`: so many bytes at the beginning were there before, and the rest was appended to them. */
  | { readonly type: "write"; readonly path: Path; readonly bytes: Uint8Array; readonly keeps?: number }
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
  /** What is exported at the end, without the working directory. */
  readonly env: Readonly<Record<string, string>>;
  /** There are files outside of the project, which are gone with the shell. */
  readonly outside?: boolean;
}

/** The project's folder in the shell. */
export const projectFolder = "/project";
