import type { NetAnswer, NetRequest } from "../../../network.ts";
import type { FromPorts, ToPorts } from "../../loopback/messages.ts";
import type { TreeEntry } from "../../sync-files.ts";

/**
 * The messages between the shell's worker and the frame of its dialog's programs (`public/program/index.html`), over the port that the page gave to
 * the frame.
 *
 * - `ready` comes first. `script` is sent once, before the first `start`: the script that each process runs.
 * - The frame answers `ping` with `pong` at once, even while programs compute: its page runs none of them.
 * - `files` updates the files that the frame holds; a process starts with all of them.
 * - A process gets its own port for all other messages (`FromProcess`). It ends by itself, by `end`, or with `died`.
 */
export type ToFrame =
  | { readonly type: "script"; readonly text: string }
  /** `whole`: the frame first forgets the files it has. The contents are views of one buffer. */
  | { readonly type: "files"; readonly whole: boolean; readonly files: readonly TreeEntry[]; readonly gone: readonly string[] }
  | { readonly type: "start"; readonly id: number; readonly settings: ProcessSettings; readonly port: MessagePort }
  | { readonly type: "end"; readonly id: number }
  | { readonly type: "ping" };

export type FromFrame =
  | { readonly type: "ready" }
  | { readonly type: "pong" }
  | { readonly type: "died"; readonly id: number; readonly why: string };

/** What a worker of the frame gets at its start. */
export interface StartOfProcess {
  readonly settings: ProcessSettings;
  readonly files: readonly TreeEntry[];
  readonly port: MessagePort;
}

export interface ProcessSettings {
  /** The argument of the inside's `start`, as JSON. */
  readonly start: string;
  readonly conditions: readonly string[];
  /** Null: it arrives while the process runs, as `stdin` and `stdinEnd` from the parent process. */
  readonly stdin: Uint8Array | null;
  /** Its output goes to the parent process, which accepts more than a person can read. */
  readonly piped: boolean;
  /** Data from the parent process, such as `workerData`. */
  readonly data: unknown;
}

/**
 * The messages of a process, in the order of its actions. Treat them as untrusted: a program can post any message itself. `change` is a call of
 * `SyncFiles` that changes files; the process has already applied it to its own copy.
 */
export type FromProcess =
  | { readonly type: "print"; readonly stream: "stdout" | "stderr"; readonly printed: string | Uint8Array }
  | { readonly type: "change"; readonly call: FileChange; readonly args: readonly (string | number | boolean | Uint8Array)[] }
  | { readonly type: "fetch"; readonly id: number; readonly request: NetRequest }
  | {
      readonly type: "exec";
      readonly id: number;
      readonly command: string;
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly stdin: string;
    }
  /** Cancels the request or command with that id. */
  | { readonly type: "kill"; readonly id: number }
  /** `on`: send changes of others soon after they happen. Otherwise send them only with answers. */
  | { readonly type: "watch"; readonly on: boolean }
  | { readonly type: "ports"; readonly message: ToPorts }
  /**
   * Starts another process. `start`: as in `ProcessSettings`. `words`: the words after `node` on its command line, which then decide what it runs.
   * `piped`: its output goes to this process and is not shown. `hasInput`: this process will send its stdin.
   */
  | {
      readonly type: "child";
      readonly id: number;
      readonly start: string;
      readonly words: readonly string[] | null;
      readonly piped: boolean;
      readonly hasInput: boolean;
      readonly data: unknown;
      readonly ports: readonly string[];
    }
  /** `signal`: the child may have a handler for it. Null: the child must end. */
  | { readonly type: "endChild"; readonly id: number; readonly signal: string | null }
  /** Whether the process has handlers for that signal from now on. */
  | { readonly type: "handle"; readonly signal: string; readonly on: boolean }
  /** Posts to a child; 0: to the parent process. `ports`: the names of the channel ends that are sent along. */
  | { readonly type: "post"; readonly to: number; readonly kind: PostKind; readonly data: unknown; readonly ports: readonly string[] }
  /** Posts to the process that owns that end of a channel. */
  | { readonly type: "portPost"; readonly end: string; readonly data: unknown; readonly ports: readonly string[] }
  /** Closes this end, which the process owns. */
  | { readonly type: "portClose"; readonly end: string }
  | { readonly type: "report"; readonly json: string }
  /** Last message of a process. `broken`: why it was terminated; null for a normal exit. */
  | { readonly type: "ended"; readonly code: number; readonly broken: string | null };

export type ToProcess =
  /** First message. From here on the shell receives the process's messages even if the program never yields. */
  | { readonly type: "begin" }
  | { readonly type: "fetched"; readonly id: number; readonly answer: NetAnswer }
  | { readonly type: "ports"; readonly message: FromPorts }
  /**
   * What others have changed since the last `files`. `upTo`: how many of the process's own changes the shell had seen; its later changes are newer.
   */
  | { readonly type: "files"; readonly files: readonly TreeEntry[]; readonly gone: readonly string[]; readonly upTo: number }
  | { readonly type: "childPrint"; readonly id: number; readonly stream: "stdout" | "stderr"; readonly printed: string | Uint8Array }
  /** `how`: the exit code, or the signal that ended it. */
  | { readonly type: "childEnded"; readonly id: number; readonly how: number | string }
  /** A signal for which the process has handlers. */
  | { readonly type: "signal"; readonly name: string }
  | { readonly type: "posted"; readonly from: number; readonly kind: PostKind; readonly data: unknown }
  | { readonly type: "portPosted"; readonly end: string; readonly data: unknown }
  /** The other end of the channel was closed. */
  | { readonly type: "portClosed"; readonly end: string }
  | { readonly type: "executed"; readonly id: number; readonly done: ExecutedInShell | null };

/** `error`: an uncaught error in a worker. `disconnect`: no more messages follow. `stdin`: bytes. */
export type PostKind = (typeof postKinds)[number];
export const postKinds = ["message", "error", "disconnect", "stdin", "stdinEnd"] as const;

/** Null: the command was killed. */
export interface ExecutedInShell {
  readonly stdout: string;
  readonly stdoutIsBytes: boolean;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The calls of `SyncFiles` that change something, with the types of their arguments. */
export const fileChanges = {
  write: ["string", "bytes"],
  append: ["string", "bytes"],
  makeFolder: ["string", "boolean"],
  unlink: ["string"],
  removeFolder: ["string", "boolean"],
  rename: ["string", "string"],
  setMode: ["string", "number"],
  setTime: ["string", "number"],
} as const satisfies Record<string, readonly ("string" | "bytes" | "boolean" | "number")[]>;

export type FileChange = keyof typeof fileChanges;
