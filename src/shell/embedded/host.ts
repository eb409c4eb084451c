import type { AssetName } from "../assets.ts";
import type { Context } from "./commands/answer.ts";
import type { Asking, NetAnswer, NetRequest } from "../network.ts";
import type { LiveOutput, Printed } from "../sandbox.ts";
import type { ProgramFrame } from "./node/frame/frame-connection.ts";
import type { ProgramStarts } from "./node/program-starts.ts";
import type { Ports } from "./loopback/ports.ts";
import type { Signal } from "./spans.ts";
import type { SyncFiles } from "./sync-files.ts";

/** What a command of ours can ask of any shell. Types alone: lazily loaded code imports it. */
export interface CommonHost {
  /** The project's folder, absolute. */
  readonly project: string;
  /** How many changes of files were refused so far. */
  refusedCount(): number;
  /** Never rejects; the user may be asked, and then the command's time stands still. It answers `failed` when the command has to stop, or its signal aborts. */
  fetch(request: NetRequest, asking?: Asking): Promise<NetAnswer>;
  /** What the command prints or does right now, for anyone who watches. It does not become output by that. */
  show(output: LiveOutput): void;
  /**
   * Shows the output of the command that runs now before it ends; null when its output goes elsewhere, such as into a pipe. Ask at
   * the command's start. What was shown must be the beginning of what the command returns, or it is shown twice.
   */
  terminal(context: Context): ((stream: "stdout" | "stderr", text: string) => void) | null;
  /** What the command prints to this stream is shown, and nothing else reads it, such as a pipe or a file. Ask at the command's start. */
  shows(stream: "stdout" | "stderr"): boolean;
  /** What the dialog's commands in the background do; see `background.ts` of the engine's dialogs. */
  background(operands: readonly string[]): Promise<Printed>;
  /** Why the command has to stop now; null: it can continue. Cheap enough to be asked in a loop. */
  stop(): "aborted" | "time" | null;
  /** Milliseconds until the command's time is over. */
  timeLeft(): number;
  /** Settles after that many milliseconds or when the signal aborts, whichever is first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Aborts when the command that runs is stopped; a new one for each command. */
  signal(): AbortSignal;
  /** `take` answers whether the program handles a signal by itself; the others end it. Missing: nothing but the whole command's end reaches it. */
  takeSignals?(take: (signal: Signal) => boolean): void;
  /** A command left so many bytes out of the middle of what it printed to the terminal there: the remark about the output limit counts them. */
  leaveOut(stream: "stdout" | "stderr", bytes: number): void;
}

/** What a command can ask of the shell in the browser, beyond that. */
export interface ShellHost extends CommonHost {
  readonly files: SyncFiles;
  /** Rejects with a sentence for anyone who typed the command when it can't be had. Shows progress to anyone who watches. */
  asset(name: AssetName): Promise<Uint8Array>;
  /** Of the dialog. Missing: there are none. */
  readonly ports?: Ports;
  /** `node` says here what it starts, for those who wait for its port. Missing: no one does. */
  readonly programStarts?: ProgramStarts;
  /** Where `node` runs programs in the browser's own engine; null: that is turned off. Rejects with a sentence when it isn't and can't be had. Missing: never. */
  readonly programs?: () => Promise<ProgramFrame | null>;
}
