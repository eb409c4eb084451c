import type { DialogAgent } from "../../dialog/agent.ts";
import type { RunLimits } from "../../dialog/run.ts";
import type { RepliesTo } from "../../dialog/replies.ts";
import type { Fork, SideOf } from "./fork-point.ts";

/** An agent answers a message of another dialog, in which it was mentioned. */
export interface ReplyTask {
  readonly to: RepliesTo;
  /** What was said there before. */
  readonly context: string;
}

/** A dialog of a run. */
export interface NewMember {
  /** The root; null: it is the root itself. */
  readonly root: string | null;
  readonly file: string;
  readonly input: string;
  /** What is wrong with the front matter of the file. Left out: nothing is, or the call that started it says so. */
  readonly problems?: readonly string[];
  /** What the user says of the run that begins; null: it has begun. */
  readonly limits: RunLimits | null;
  /** Tools, and values of lines with patterns, that run without asking by another word of the user's than doc-main.md's. */
  readonly authorized: ReadonlySet<string>;
  /** Whether what doc-main.md allows counts, too. */
  readonly asMain: boolean;
}

export interface NewDialog {
  readonly provider: string;
  readonly model: string;
  readonly slug: string;
  /** Its id, as `isDialogId` takes it; refused when there is one of that id. Left out: it is made from the time and `slug`. */
  readonly id?: string;
  /** null: an empty dialog that waits for its first word. */
  readonly prompt: string | null;
  readonly launchedBy: string | null;
  /** The agent that a file defines; null or left out: Vibey's usual one. */
  readonly agent?: DialogAgent | null;
  /**
   * What runs without asking where the agent was mentioned or started: it has no more. Names of tools, and values of lines with patterns. Left
   * out: what doc-main.md says.
   */
  readonly allowed?: ReadonlySet<string>;
  /** What the user has taken back there: it stands in the header, so that it holds for what is made from the new dialog, too. */
  readonly takenBack?: ReadonlySet<string>;
  /** The dialog that this one continues from. */
  readonly continuedFrom?: string;
  /** Agents that the prompt mentions, by slug; null: those that its text names. Left out: none answer but the dialog's own. */
  readonly mentions?: readonly string[] | null;
  /** The rule of doc-main.md that starts it. */
  readonly schedule?: string;
  /** The title of a room: a dialog without an agent of its own. */
  readonly room?: string;
  /** The message that it answers, in another dialog. */
  readonly reply?: ReplyTask;
  /** How it belongs to a run. */
  readonly run?: NewMember;
  /** It is a discussion of one message of another dialog. */
  readonly side?: SideOf;
  /** What it takes along from another dialog. */
  readonly fork?: Fork;
}
