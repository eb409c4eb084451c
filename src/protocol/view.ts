import type { HostWord } from "../dialog/ids.ts";
import type { Json, JsonObject, Meta } from "../dialog/model.ts";
import type { OutsideAgent } from "../dialog/outside.ts";
import type { From, Mention, RepliesTo, TurnsLeft } from "../dialog/replies.ts";
import type { Activity, Status } from "./dialogs.ts";

/** One dialog, parsed. */
export interface DialogView {
  readonly dialogId: string;
  readonly filename: string;
  readonly status: Status;
  /** The provider and model that the next turn would use. */
  readonly provider: string;
  readonly model: string;
  /**
   * The agent that a file defined when the dialog began; null: Vibey's usual one. `text`: the file as it was then. `hash`: SHA-256 of it; "" where it
   * is none of the files of your agents.
   */
  readonly agent: { readonly slug: string; readonly hash: string; readonly tools: readonly string[]; readonly text: string } | null;
  readonly started: string | null;
  /** The agent outside Vibey whose record this is; null: it is none. */
  readonly outside: OutsideView | null;
  /** The dialog that launched this one. */
  readonly launchedBy: string | null;
  /** The message of another dialog that this one answers, because its agent was mentioned there. The first message is 1. */
  readonly repliesTo: RepliesTo | null;
  /** The title of a room: a dialog without an agent of its own, in which those answer that are mentioned. null: it is none. */
  readonly room: string | null;
  /** The dialog that this one continues from, with a summary. */
  readonly continuedFrom: string | null;
  /** Where this one was forked from another: after that message, or in its place when it was `edited`. The first message is 1. */
  readonly forkedFrom: { readonly dialogId: string; readonly message: number; readonly edited: boolean; readonly side: boolean } | null;
  /** How full the model's window was after the last response; null when the provider reported no usage or the window is not known. */
  readonly context: ContextView | null;
  /** Nanodollars that it cost so far, as far as that is known; null when it is known of no response. */
  readonly cost: number | null;
  /** What runs without asking from here on: names of tools, and values of lines with patterns, such as `command npm test *`. */
  readonly authorized: readonly string[];
  /** Hosts that the user let the commands of this dialog reach, and those that were refused. `hosts`: the word about each of them. */
  readonly network: { readonly allowed: readonly string[]; readonly refused: readonly string[]; readonly hosts: readonly HostView[] };
  /** Seconds that a command may run. */
  readonly commandSeconds: number;
  /** What came with an import and decides nothing until the user accepts it: tools and patterns, hosts to reach and not to reach, seconds that a command may run. */
  readonly imported: {
    readonly tools: readonly string[];
    readonly allowed: readonly string[];
    readonly refused: readonly string[];
    readonly hosts: readonly HostView[];
    readonly commandSeconds: number | null;
  };
  /** What the command that runs has printed so far; null when none runs. */
  readonly output: OutputView | null;
  /** Commands that continue in the background, and those of this engine that have ended, oldest first. */
  readonly background: readonly BackgroundView[];
  /** False for a file of a format that this Vibey only shows; `readOnlyReason` says why. */
  readonly readOnlyReason: string | null;
  /** Header lines that are not in the fields above, and parts before the first message. */
  readonly notes: readonly PartView[];
  readonly messages: readonly MessageView[];
  /** What happens now, in this tab: null when nothing does. */
  readonly activity: Activity | null;
  /** When the last turn failed: what happened and what to do; null otherwise. */
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

export interface OutsideView extends OutsideAgent {
  /** A message reaches it. */
  readonly takesMessages: boolean;
  /** Messages that it was not given yet. */
  readonly pending: number;
  /** It was asked to stop, and not told so yet. */
  readonly stopping: boolean;
}

export interface OutputView {
  readonly callId: string;
  /** The last 20,000 characters of stdout and stderr, as they came. */
  readonly text: string;
  /** What continues in it, such as a download: one line; null when it says nothing. */
  readonly progress: string | null;
}

export interface BackgroundView {
  readonly id: string;
  readonly command: string;
  /** ISO 8601. */
  readonly started: string;
  readonly state: "running" | "ended" | "stopped";
  /** null while it runs. */
  readonly exitCode: number | null;
}

/** Tokens. `used`: input and output of the last response, as the provider reported them. */
export interface ContextView {
  readonly used: number;
  readonly window: number;
  /** Past the threshold: the agent was told, and the user is offered a new dialog. */
  readonly nearlyFull: boolean;
}

export interface HostView {
  readonly host: string;
  readonly word: HostWord;
}

export interface MessageView {
  readonly role: "user" | "assistant";
  /** Where it comes from when no one typed it here: an agent that was mentioned, or another dialog. */
  readonly from?: From;
  /** The agents that it mentions, and the dialogs in which they answer. */
  readonly mentions?: readonly Mention[];
  /** The agents that answer after those, one after another. */
  readonly order?: readonly string[];
  /** How agents that answer each other continue after this message. */
  readonly turns?: TurnsLeft;
  /** The side fork in which agents answer it. */
  readonly side?: string;
  /** With the summary of a side fork: what that was about. */
  readonly topic?: string;
  /** It asks for a summary of this fork, for the dialog with this id; or it is the summary of the fork with this id. */
  readonly resolves?: string;
  /** In place of an answer: why there is none. */
  readonly system?: string;
  /** In a record: the framework of the agent that reports this message. Someone wrote it where the agent runs, or so the agent says. */
  readonly reportedBy?: string;
  /** ISO times as in the file; `end` is null while the message is being written, and for a user's. */
  readonly start: string | null;
  readonly end: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly parts: readonly PartView[];
  /** Only when the provider reported it. */
  readonly usage: UsageView | null;
  readonly usageCumulative: UsageView | null;
  /** Tokens of the input that the provider's cache gave, and that were written to it; left out where it did neither. */
  readonly cached?: { readonly read: number; readonly write: number };
  /** Left out where it is unknown. `nanos`: nanodollars. `reported`: the provider said so; else it is by `price`, as far as the file says that. */
  readonly cost?: { readonly nanos: number; readonly reported: boolean; readonly price?: CostPriceView };
  /** The value of `> Stop:`, null when the message ended by itself. */
  readonly stop: string | null;
}

/** What a response was computed by. Microdollars a million tokens, null: as input. `list`: the day of the list that came with Vibey. */
export interface CostPriceView {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly source: "you" | "provider" | { readonly list: string };
}

export interface UsageView {
  readonly input: number;
  readonly output: number;
  readonly total: number;
}

export type PartView =
  | { readonly kind: "text"; readonly text: string }
  /** Lines that no field of the message holds: `Authorized`, `Revoked`, `Waiting`, `Edited`, unknown keys. */
  | { readonly kind: "meta"; readonly lines: readonly Meta[] }
  | { readonly kind: "call"; readonly call: CallView };

export interface CallView {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** What the user approved in place of `input`, and it runs with. Left out: nothing. */
  readonly changed?: JsonObject;
  /** `running`: claimed, no result yet. `approved`: decided, not started. */
  readonly state: "pending" | "approved" | "running" | "finished" | "denied";
  /** When it was claimed, as it stands in the file: ISO 8601 unless a hand wrote it. */
  readonly started: string | null;
  /** Who allowed it: the user for this call, or an authorization that stands above it. */
  readonly allowedBy: "human" | "authorization" | null;
  /** The lines with patterns that let it through. Left out where none did. */
  readonly allowedByLines?: readonly { readonly value: string; readonly place: "main" | "this dialog" }[];
  readonly result: Json | null;
  /** SHA-256 (hex) of tool name, id and input as they stand in the file. */
  readonly hash: string;
  /** `write_file` over a file that exists: its text now, while the call is pending, to show a diff; null otherwise. */
  readonly before: string | null;
  /** `edit_file`: the line of the file at which the text to be replaced starts now, while the call is pending. Left out where it is unknown. */
  readonly line?: number;
  /** While it is pending: ways to always allow the like of it, each as the values of the lines that it takes. The first one is suggested. */
  readonly patterns?: readonly (readonly string[])[];
  /** In a record of an agent outside Vibey, while it is pending: the rules that the agent would keep for itself, to the letter. */
  readonly rules?: readonly string[];
}

/** What a dialog that waits asks of a person, without the rest of it. */
export interface AsksAnswer {
  readonly dialogId: string;
  /** Who answers once it has been decided. */
  readonly provider: string;
  /** The calls that no one has decided; none for a dialog that does not wait. */
  readonly calls: readonly CallView[];
  /** The answer that asks for them did not come to its own end. */
  readonly cut: boolean;
  /** The question with which the agent ended; null: it asked none. */
  readonly question: string | null;
  /** The value of the last message's `> Stop:`; null: it ended by itself. */
  readonly stop: string | null;
}

export interface DialogAnswer extends DialogView {
  readonly markdown: string;
}

/** Frames of `GET /dialog/:id/stream`: the file's markdown. `patch`: from UTF-16 offset `from` on, the file now reads `text`. */
export type StreamFrame =
  | {
      readonly type: "snapshot";
      readonly version: number;
      readonly dialogId: string;
      readonly filename: string;
      readonly status: Status;
      readonly text: string;
    }
  | { readonly type: "patch"; readonly version: number; readonly from: number; readonly text: string }
  | { readonly type: "status"; readonly version: number; readonly filename: string; readonly status: Status }
  | { readonly type: "gone"; readonly version: number };

/** Frames of `GET /dialog/:id/stream?view=parsed`. The first is `dialog`; so is every one after which a reader must start over. */
export type ViewFrame =
  | { readonly type: "dialog"; readonly version: number; readonly dialog: DialogView }
  /** Everything of the dialog but its messages. */
  | { readonly type: "head"; readonly version: number; readonly head: Omit<DialogView, "messages"> }
  /** Message `index` is now this; `index` may be one past the end. */
  | { readonly type: "message"; readonly version: number; readonly index: number; readonly message: MessageView }
  /** `text` is added to the end of text part `part` of message `index`; `part` may be one past the end. */
  | { readonly type: "text"; readonly version: number; readonly index: number; readonly part: number; readonly text: string }
  /** The command that runs printed this, or (`progress`) says what continues in it. */
  | {
      readonly type: "output";
      readonly version: number;
      readonly callId: string;
      readonly stream: "stdout" | "stderr" | "progress";
      readonly text: string;
    }
  | { readonly type: "gone"; readonly version: number };
