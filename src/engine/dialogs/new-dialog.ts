import type { DialogAgent } from "../../dialog/agent.ts";
import type { RunLimits } from "../../dialog/run.ts";
import type { RepliesTo } from "../../dialog/replies.ts";
import type { Fork, SideOf } from "./fork-point.ts";

/** An agent answers a message of another dialog that mentioned it. */
export interface ReplyTask {
  readonly to: RepliesTo;
  /** What was said there before. */
  readonly context: string;
}

/** A dialog of a run. */
export interface NewMember {
  /** The root of the run. Null if this dialog is the root. */
  readonly root: string | null;
  readonly file: string;
  readonly input: string;
  /** The problems in the front matter of the file. Left out if there are none, or if the call that started it reports them. */
  readonly problems?: readonly string[];
  /** The limits that the user sets for a new run. Null if the run has already begun. */
  readonly limits: RunLimits | null;
  /** Tools, and values of lines with patterns, that run without approval because of another permission than doc-main.md's. */
  readonly authorized: ReadonlySet<string>;
  /** Whether the permissions in doc-main.md apply, too. */
  readonly asMain: boolean;
}

export interface NewDialog {
  readonly provider: string;
  readonly model: string;
  readonly slug: string;
  /** Its id, which must be valid for `isDialogId`. Refused if a dialog with this id exists. Left out: derived from the time and `slug`. */
  readonly id?: string;
  /** Null for an empty dialog that waits for its first message. */
  readonly prompt: string | null;
  readonly launchedBy: string | null;
  /** The agent that a file defines. Null or left out for Vibey's default agent. */
  readonly agent?: DialogAgent | null;
  /**
   * What runs without approval where the agent was mentioned or started: names of tools, and values of lines with patterns. The agent gets no
   * more than that. Left out: the permissions in doc-main.md.
   */
  readonly allowed?: ReadonlySet<string>;
  /** What the user revoked there. It is written to the header, so that it also applies to dialogs made from the new one. */
  readonly takenBack?: ReadonlySet<string>;
  /** The dialog that this one continues from. */
  readonly continuedFrom?: string;
  /** The slugs of the agents that the prompt mentions. Null means those that its text names. Left out if only the dialog's own agent answers. */
  readonly mentions?: readonly string[] | null;
  /** The rule of doc-main.md that starts it. */
  readonly schedule?: string;
  /** The title of a room: a dialog without an agent of its own. */
  readonly room?: string;
  /** The message in another dialog that it answers. */
  readonly reply?: ReplyTask;
  /** Its role in a run. */
  readonly run?: NewMember;
  /** The message of another dialog that it discusses. */
  readonly side?: SideOf;
  /** What it copies from another dialog. */
  readonly fork?: Fork;
}
