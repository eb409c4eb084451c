import type { CommitFailure } from "../../fs/files.ts";
import type { Activity, BackgroundView, Frame, OutputView } from "../../protocol/index.ts";
import type { TextPiece, TextWriter } from "../../dialog/text-writer.ts";
import type { State } from "../turn/machine/model.ts";
import type { Usage } from "../cost/usage.ts";
import type { LiveOutput } from "../../shell/sandbox.ts";
import type { FileText } from "./file-text.ts";
import type { PatternChoices } from "./subjects.ts";
import type { Tracked } from "./store.ts";

/** The current activity of a dialog in this engine. It ends with the engine. */
export interface Work {
  readonly abort: AbortController;
  /** Writes the current text part. Null between parts. */
  writer: TextWriter | null;
  usage: Usage | null;
}

/**
 * A change that readers of a dialog are told about. `from`: the UTF-16 offset where the file's text may differ from before. Without it, the text
 * is the same.
 */
export type LiveChange =
  /** The last text has grown, or a new text starts with this piece. Nothing else has changed. */
  | { readonly kind: "text"; readonly piece: TextPiece; readonly from?: number }
  | { readonly kind: "state"; readonly from?: number }
  /** The running command has printed this. The file stays the same. */
  | { readonly kind: "output"; readonly callId: string; readonly output: LiveOutput }
  /** The file was written again, by hand or after a failed write. From now on, `by` is the dialog. */
  | { readonly kind: "replaced"; readonly by: Live }
  | { readonly kind: "gone" };

/** Numbers for changes. All dialogs of an engine share them. */
export interface Revisions {
  next(): number;
}

/** An epoch has room for 2^32 changes before two engines could use the same number. */
export function revisionsOf(epoch: number): Revisions {
  let last = epoch * 2 ** 32;
  return { next: () => (last += 1) };
}

/** A dialog that the engine has open. Its `state` is what is stored, plus streamed text that will be stored in a moment. */
export interface Live extends Tracked {
  readonly id: string;
  state: State;
  /** The file's text for `state`. */
  readonly file: FileText;
  /** The whole text of the file. */
  readonly text: string;
  /** The file on disk differs from what the engine would write for `state`: it was edited by hand, is torn, or has an earlier format. */
  stale: boolean;
  work: Work | null;
  /** Another `Live` has replaced this one, or the dialog no longer exists. Nothing may be stored through this one. */
  gone: boolean;
  activity: Activity | null;
  /** The output of the running command. Null if no command is running or it has printed nothing. */
  output: OutputView | null;
  /** By call id, the text of the file that a pending `write_file` call would replace. */
  readonly before: Map<string, string>;
  /** By call id, the line at which a pending `edit_file` call would start to change its file. */
  readonly lines: Map<string, number>;
  /** By call id, the lines that would allow calls like the pending one. See `suggestPatterns`. */
  readonly patterns: Map<string, PatternChoices>;
  /** By call id, the texts of the rules that an agent outside Vibey would keep if the user approves its call. */
  readonly rules: Map<string, readonly string[]>;
  /** The number of the last change that readers were told about. No dialog of any engine of this project uses it again. */
  revision: number;
  readonly revisions: Revisions;
  readonly watchers: Set<(change: LiveChange) => void>;
  readonly frames: Set<(frame: Frame) => void>;
  /** Serializes the dialog's events. See `inOrder`. */
  lock: Promise<unknown>;
  lost(failure: CommitFailure): void;
  /** The window size of a provider's model, in tokens. Null if it is unknown. */
  window(provider: string, model: string): number | null;
  /** Its background commands. */
  background(): readonly BackgroundView[];
  /** The time limit of a command in seconds, if the dialog itself sets none. */
  commandSeconds(): number;
}

export function tell(live: Live, change: LiveChange): void {
  live.revision = live.revisions.next();
  for (const watcher of live.watchers) watcher(change);
}

export function sendFrame(live: Live, frame: Frame): void {
  for (const listener of live.frames) listener(frame);
}

/** Runs `work` after everything that was requested earlier for this dialog. */
export function inOrder<T>(live: Live, work: () => Promise<T>): Promise<T> {
  const result = live.lock.then(work);
  live.lock = result.catch(() => undefined);
  return result;
}
