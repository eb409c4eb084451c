import type { NetAnswer, NetRequest } from "../../../network.ts";
import type { FromPorts, ToPorts } from "../../loopback/messages.ts";
import type { TreeEntry } from "../../sync-files.ts";

/**
 * What the shell's worker and the frame of its dialog's programs say to each other (`public/program/index.html`), over the port that the page
 * gave to the frame.
 *
 * - `ready` comes first. `script` is sent once, before the first `start`: what each process runs.
 * - `ping` is answered by `pong` at once, also while programs compute: the frame's page runs none of them.
 * - `files` brings what the frame holds up to date; a process starts with all of it.
 * - A process gets a port of its own, over which it says the rest (`FromProcess`), and ends with `end`, its own end, or with `died`.
 */
export type ToFrame =
  | { readonly type: "script"; readonly text: string }
  /** `whole`: what the frame has is forgotten first. The contents are views of one buffer. */
  | { readonly type: "files"; readonly whole: boolean; readonly files: readonly TreeEntry[]; readonly gone: readonly string[] }
  | { readonly type: "start"; readonly id: number; readonly settings: ProcessSettings; readonly port: MessagePort }
  | { readonly type: "end"; readonly id: number }
  | { readonly type: "ping" };

export type FromFrame =
  | { readonly type: "ready" }
  | { readonly type: "pong" }
  | { readonly type: "died"; readonly id: number; readonly why: string };

/** What a worker of the frame is started with. */
export interface StartOfProcess {
  readonly settings: ProcessSettings;
  readonly files: readonly TreeEntry[];
  readonly port: MessagePort;
}

export interface ProcessSettings {
  /** What the inside's `start` is given, as JSON. */
  readonly start: string;
  readonly conditions: readonly string[];
  /** null: it comes while the process runs, as `stdin` and `stdinEnd` of the process that started it. */
  readonly stdin: Uint8Array | null;
  /** What it prints goes to the process that started it, which takes more than a person can read. */
  readonly piped: boolean;
  /** What the process that started this one gives it, such as `workerData`. */
  readonly data: unknown;
}

/**
 * What a process says, in the order in which it did it. Treat it as untrusted: a program can post any message itself.
 * `change` is a call of `SyncFiles` that changes files; it was already made on the process's own copy.
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
  /** Ends the request or the command of that number. */
  | { readonly type: "kill"; readonly id: number }
  /** From now on, what others change is told soon after it; or only with answers again. */
  | { readonly type: "watch"; readonly on: boolean }
  | { readonly type: "ports"; readonly message: ToPorts }
  /**
   * Starts another process. `start`: as of `ProcessSettings`. `words`: what stands after `node` on its command line, which then says what it runs.
   * `piped`: what it prints is told to this one and not shown. `hasInput`: this one will send its stdin.
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
  /** `signal`: it may have a handler of it; null: it has to end. */
  | { readonly type: "endChild"; readonly id: number; readonly signal: string | null }
  /** Whether it has handlers of that signal from now on. */
  | { readonly type: "handle"; readonly signal: string; readonly on: boolean }
  /** To that child; 0: to the one that started this one. `ports`: the ends of channels that go along, by their names. */
  | { readonly type: "post"; readonly to: number; readonly kind: PostKind; readonly data: unknown; readonly ports: readonly string[] }
  /** To whichever process has that end of a channel. */
  | { readonly type: "portPost"; readonly end: string; readonly data: unknown; readonly ports: readonly string[] }
  /** It closes this end, which it has. */
  | { readonly type: "portClose"; readonly end: string }
  | { readonly type: "report"; readonly json: string }
  /** Last message of a process. `broken`: why it was terminated; null for a normal exit. */
  | { readonly type: "ended"; readonly code: number; readonly broken: string | null };

export type ToProcess =
  /** First message. From here on the shell receives the process's messages even if the program never yields. */
  | { readonly type: "begin" }
  | { readonly type: "fetched"; readonly id: number; readonly answer: NetAnswer }
  | { readonly type: "ports"; readonly message: FromPorts }
  /** What others changed since. `upTo`: how many changes of its own the shell knew of; what it changed after that is newer. */
  | { readonly type: "files"; readonly files: readonly TreeEntry[]; readonly gone: readonly string[]; readonly upTo: number }
  | { readonly type: "childPrint"; readonly id: number; readonly stream: "stdout" | "stderr"; readonly printed: string | Uint8Array }
  /** `how`: its exit code, or the signal that ended it. */
  | { readonly type: "childEnded"; readonly id: number; readonly how: number | string }
  /** One that it has handlers of. */
  | { readonly type: "signal"; readonly name: string }
  | { readonly type: "posted"; readonly from: number; readonly kind: PostKind; readonly data: unknown }
  | { readonly type: "portPosted"; readonly end: string; readonly data: unknown }
  /** The other end of the channel is closed. */
  | { readonly type: "portClosed"; readonly end: string }
  | { readonly type: "executed"; readonly id: number; readonly done: ExecutedInShell | null };

/** `error`: what no one took in a worker. `disconnect`: nothing more is said. `stdin`: bytes. */
export type PostKind = (typeof postKinds)[number];
export const postKinds = ["message", "error", "disconnect", "stdin", "stdinEnd"] as const;

/** null: it was killed. */
export interface ExecutedInShell {
  readonly stdout: string;
  readonly stdoutIsBytes: boolean;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The calls of `SyncFiles` that change something, and what they take. */
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
