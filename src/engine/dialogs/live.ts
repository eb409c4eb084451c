import type { CommitFailure } from "../../fs/files.ts";
import type { Activity, BackgroundView, Frame, OutputView } from "../../protocol/index.ts";
import type { TextPiece, TextWriter } from "../../dialog/text-writer.ts";
import type { State } from "../turn/machine/model.ts";
import type { Usage } from "../cost/usage.ts";
import type { LiveOutput } from "../../shell/sandbox.ts";
import type { FileText } from "./file-text.ts";
import type { PatternChoices } from "./subjects.ts";
import type { Tracked } from "./store.ts";

/** What a dialog is doing right now in this engine; gone with it. */
export interface Work {
  readonly abort: AbortController;
  /** The text part that is being streamed, null between parts. */
  writer: TextWriter | null;
  usage: Usage | null;
}

/** A change that readers of a dialog are told of. `from`: the UTF-16 offset from which on the file's text may read otherwise; without it nothing of it does. */
export type LiveChange =
  /** The last text, or a new one that starts with this piece, has grown; nothing else changed. */
  | { readonly kind: "text"; readonly piece: TextPiece; readonly from?: number }
  | { readonly kind: "state"; readonly from?: number }
  /** The command that runs has printed this; the file reads as before. */
  | { readonly kind: "output"; readonly callId: string; readonly output: LiveOutput }
  /** The file was written again, by a hand or after a failed write: this is the dialog from now on. */
  | { readonly kind: "replaced"; readonly by: Live }
  | { readonly kind: "gone" };

/** Numbers for changes; shared by all dialogs of an engine. */
export interface Revisions {
  next(): number;
}

/** 2^32 changes fit into one epoch before two engines could give the same number. */
export function revisionsOf(epoch: number): Revisions {
  let last = epoch * 2 ** 32;
  return { next: () => (last += 1) };
}

/** One dialog that the engine has open. Its `state` is what is stored, plus streamed text that is about to be. */
export interface Live extends Tracked {
  readonly id: string;
  state: State;
  /** The file's text as of `state`. */
  readonly file: FileText;
  /** The same as a whole. */
  readonly text: string;
  /** The file on disk differs from what the engine would write for `state` (edited by hand, torn, earlier format). */
  stale: boolean;
  work: Work | null;
  /** Another `Live` stands for the dialog now, or none does: nothing may be stored through this one. */
  gone: boolean;
  activity: Activity | null;
  /** What the command that runs has printed; null when none runs, or none has printed anything. */
  output: OutputView | null;
  /** Text of the files that pending `write_file` calls would replace, by call id. */
  readonly before: Map<string, string>;
  /** The line at which a pending `edit_file` call would start to change its file, by call id. */
  readonly lines: Map<string, number>;
  /** By the id of a pending call, the lines that would allow the like; see `suggestPatterns`. */
  readonly patterns: Map<string, PatternChoices>;
  /** By the id of a call that an agent outside Vibey asks about, the rules that it would keep for itself, as they read. */
  readonly rules: Map<string, readonly string[]>;
  /** The number of the last change that readers were told of; never used twice by any dialog of any engine of this project. */
  revision: number;
  readonly revisions: Revisions;
  readonly watchers: Set<(change: LiveChange) => void>;
  readonly frames: Set<(frame: Frame) => void>;
  /** One event after another. */
  lock: Promise<unknown>;
  lost(failure: CommitFailure): void;
  /** Tokens that the window of a provider's model holds; null when that is not known. */
  window(provider: string, model: string): number | null;
  /** Its commands in the background. */
  background(): readonly BackgroundView[];
  /** Seconds that a command may run where the dialog itself says nothing. */
  commandSeconds(): number;
}

export function tell(live: Live, change: LiveChange): void {
  live.revision = live.revisions.next();
  for (const watcher of live.watchers) watcher(change);
}

export function sendFrame(live: Live, frame: Frame): void {
  for (const listener of live.frames) listener(frame);
}

/** Runs `work` when everything asked before it, for this dialog, is done. */
export function inOrder<T>(live: Live, work: () => Promise<T>): Promise<T> {
  const result = live.lock.then(work);
  live.lock = result.catch(() => undefined);
  return result;
}
