import type { Path } from "../../fs/path.ts";
import type { FromPorts, ToPorts } from "./loopback/messages.ts";
import type { AssetName } from "../assets.ts";
import type { NetAnswer, NetRequest } from "../network.ts";
import type { LiveOutput, Printed } from "../sandbox.ts";

/**
 * The protocol between the engine and the shell's worker. Messages are in order, over one port.
 *
 * - `put` and `drop` update the worker's tree; they are never echoed back as changes.
 * - For every change that a command makes, the worker posts `write`, `append` or `remove` before the command continues, so that killing the worker
 *   loses no change. An `append` follows a `write` or `append` of the same path in the same command.
 * - One command runs at a time: `run` is answered by `started` at once and by `done` at its end.
 * - A `follow` may arrive while a command runs. Each `write`, `append` and `remove` that the worker posts before `followed` applies to the earlier
 *   content.
 * - `fetch`, `asset`, `background` and `programs` are answered by `fetched`, `loaded`, `answered` and `programs` with the same id. A worker never
 *   uses an id twice; requests of a command that has ended are not answered.
 */
export type ToShell =
  | { readonly type: "put"; readonly files: readonly PutFile[] }
  | { readonly type: "drop"; readonly path: Path }
  /**
   * The same while a command runs, applied at once and answered by `followed`. What the command does to these files afterwards is based on the new
   * content.
   */
  | { readonly type: "follow"; readonly id: number; readonly put: readonly PutFile[]; readonly drop: readonly Path[] }
  | {
      readonly type: "run";
      readonly command: string;
      /** Absolute; the project's folder if this one is gone. */
      readonly folder: string;
      /** The variables that the session's earlier commands exported. */
      readonly env: Readonly<Record<string, string>>;
      /** Milliseconds. */
      readonly timeoutMs: number;
      /** UTF-8 bytes, each for stdout and stderr. */
      readonly maxBytes: number;
      /** UTF-16 units that are shown while it runs; after that, less is shown. See `createLiveSender`. */
      readonly liveCharacters: number;
    }
  | { readonly type: "abort" }
  /** The answers to `need`, and possibly what may be needed next. Null: the file is gone. */
  | { readonly type: "content"; readonly files: readonly { readonly path: Path; readonly bytes: Uint8Array | null }[] }
  | { readonly type: "fetched"; readonly id: number; readonly answer: NetAnswer }
  /** `bytes` null: the asset isn't available, for the given reason. */
  | { readonly type: "loaded"; readonly id: number; readonly bytes: Uint8Array | null; readonly why: string }
  /** The command's time is paused, or continues. */
  | { readonly type: "clock"; readonly running: boolean }
  | { readonly type: "answered"; readonly id: number; readonly answer: Printed }
  /** `on`: `node` runs on the browser's engine. `port`: that of a frame for it; null: the worker has one, or needs none. */
  | { readonly type: "programs"; readonly id: number; readonly on: boolean; readonly port: MessagePort | null }
  /** A message of the dialog's ports. */
  | { readonly type: "ports"; readonly message: FromPorts }
  /** Instead of a command, to a worker that has run none. Answered by `prepared`. */
  | { readonly type: "prepare" };

export interface PutFile {
  readonly path: Path;
  /** Null: the shell requests them when a command reads the file. */
  readonly bytes: Uint8Array | null;
  readonly size: number;
  readonly mtime: number;
}

export type FromShell =
  /** The memory of a Python that has started; null: it did not start, for the given reason. */
  | { readonly type: "prepared"; readonly bytes: Uint8Array | null; readonly why: string }
  | FileOp
  | { readonly type: "need"; readonly path: Path }
  | { readonly type: "followed"; readonly id: number }
  | { readonly type: "started" }
  | ShellDone
  | { readonly type: "fetch"; readonly id: number; readonly request: NetRequest }
  | { readonly type: "asset"; readonly id: number; readonly name: AssetName }
  | { readonly type: "output"; readonly output: LiveOutput }
  /** Asks where `node` programs run. `fresh`: the worker has no frame for them, or its frame is gone. */
  | { readonly type: "programs"; readonly id: number; readonly fresh: boolean }
  /** A message of the dialog's ports, which the programs of all its commands share. */
  | { readonly type: "ports"; readonly message: ToPorts }
  /** The command `background` with these operands. */
  | { readonly type: "background"; readonly id: number; readonly operands: readonly string[] };

export type FileOp =
  /** `keeps`: the number of bytes at the start that are unchanged; the rest was appended. */
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
  /** The absolute working directory at the end. */
  readonly folder: string;
  /** The variables that are exported at the end, without the working directory. */
  readonly env: Readonly<Record<string, string>>;
  /** There are files outside the project, which are lost with the shell. */
  readonly outside?: boolean;
}

/** The project's folder in the shell. */
export const projectFolder = "/project";
