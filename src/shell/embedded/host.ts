import type { AssetName } from "../assets.ts";
import type { Context } from "./commands/answer.ts";
import type { Asking, NetAnswer, NetRequest } from "../network.ts";
import type { LiveOutput, Printed } from "../sandbox.ts";
import type { ProgramFrame } from "./node/frame/frame-connection.ts";
import type { ProgramStarts } from "./node/program-starts.ts";
import type { Ports } from "./loopback/ports.ts";
import type { Signal } from "./spans.ts";
import type { SyncFiles } from "./sync-files.ts";

/** What our commands can ask of any shell. Types alone, because lazily loaded code imports it. */
export interface CommonHost {
  /** The absolute path of the project's folder. */
  readonly project: string;
  /** The number of refused file changes so far. */
  refusedCount(): number;
  /** Never rejects. The user may be asked; the command's time is paused then. Answers `failed` if the command must stop or its signal aborts. */
  fetch(request: NetRequest, asking?: Asking): Promise<NetAnswer>;
  /** Shows what the command prints or does right now. This does not make it part of the output. */
  show(output: LiveOutput): void;
  /**
   * Returns a function that shows the current command's output before the command ends, or null if the output goes elsewhere, such as into a pipe.
   * Call this at the command's start. What is shown must be the beginning of what the command returns, otherwise it is shown twice.
   */
  terminal(context: Context): ((stream: "stdout" | "stderr", text: string) => void) | null;
  /**
   * Whether what the command prints to this stream is shown, and nothing else reads it, such as a pipe or a file. Call this at the command's start.
   */
  shows(stream: "stdout" | "stderr"): boolean;
  /** Runs the dialog's command `background`; see `background.ts` of the engine's dialogs. */
  background(operands: readonly string[]): Promise<Printed>;
  /** Why the command must stop now; null: it can continue. Cheap enough to call in a loop. */
  stop(): "aborted" | "time" | null;
  /** Milliseconds until the command's time is over. */
  timeLeft(): number;
  /** Settles after that many milliseconds, or when the signal aborts if that is earlier. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Aborts when the running command is stopped. Each command gets a new signal. */
  signal(): AbortSignal;
  /**
   * `take` returns whether the program handles a signal itself; other signals end it. Missing: only the end of the whole command reaches the program.
   */
  takeSignals?(take: (signal: Signal) => boolean): void;
  /** A command dropped this many bytes from the middle of its terminal output; the remark about the output limit counts them. */
  leaveOut(stream: "stdout" | "stderr", bytes: number): void;
}

/** What commands can ask of the shell in the browser, in addition. */
export interface ShellHost extends CommonHost {
  readonly files: SyncFiles;
  /** Loads an asset, and shows the progress. Rejects with a sentence for the person who typed the command if it isn't available. */
  asset(name: AssetName): Promise<Uint8Array>;
  /** The dialog's ports. Missing: there are none. */
  readonly ports?: Ports;
  /** `node` registers the programs it starts here, for commands that wait for their port. Missing: no one waits. */
  readonly programStarts?: ProgramStarts;
  /**
   * The frame in which `node` runs programs on the browser's own engine; null: that is turned off. Rejects with a sentence if it is turned on and not
   * available. Missing: it is never available.
   */
  readonly programs?: () => Promise<ProgramFrame | null>;
}
