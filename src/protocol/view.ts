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
   * The agent, if a file defined it when the dialog began. Null: Vibey's default agent. `text`: the file at that time. `hash`: its SHA-256. Empty if
   * it is not one of your agents' files.
   */
  readonly agent: { readonly slug: string; readonly hash: string; readonly tools: readonly string[]; readonly text: string } | null;
  readonly started: string | null;
  /** The outside agent whose record this is. Null if it is not a record. */
  readonly outside: OutsideView | null;
  /** The dialog that launched this one. */
  readonly launchedBy: string | null;
  /** The message of another dialog that this one answers, because its agent was mentioned there. The first message is 1. */
  readonly repliesTo: RepliesTo | null;
  /** The title of a room: a dialog without its own agent, in which mentioned agents answer. Null if it is not a room. */
  readonly room: string | null;
  /** The dialog that this one continues from, with a summary. */
  readonly continuedFrom: string | null;
  /** Where this dialog was forked from: after that message, or in its place if `edited`. The first message is 1. */
  readonly forkedFrom: { readonly dialogId: string; readonly message: number; readonly edited: boolean; readonly side: boolean } | null;
  /** How full the model's window was after the last response. Null if the provider reported no usage or the window is unknown. */
  readonly context: ContextView | null;
  /** The known cost so far, in nanodollars. Null if no response has a known cost. */
  readonly cost: number | null;
  /** What runs without asking from now on: names of tools, and values of lines with patterns, such as `command npm test *`. */
  readonly authorized: readonly string[];
  /** Hosts that commands of this dialog may reach, and refused hosts. `hosts`: the user's decision about each of them. */
  readonly network: { readonly allowed: readonly string[]; readonly refused: readonly string[]; readonly hosts: readonly HostView[] };
  /** Seconds that a command may run. */
  readonly commandSeconds: number;
  /**
   * What came with an import and has no effect until the user accepts it: tools and patterns, allowed and refused hosts, seconds that a command may
   * run.
   */
  readonly imported: {
    readonly tools: readonly string[];
    readonly allowed: readonly string[];
    readonly refused: readonly string[];
    readonly hosts: readonly HostView[];
    readonly commandSeconds: number | null;
  };
  /** The output of the running command so far. Null if none is running. */
  readonly output: OutputView | null;
  /** Commands that are running in the background, and those of this engine that have ended, oldest first. */
  readonly background: readonly BackgroundView[];
  /** Why this Vibey only shows the file. Null if it can continue the dialog. */
  readonly readOnlyReason: string | null;
  /** Header lines that are not in the fields above, and parts before the first message. */
  readonly notes: readonly PartView[];
  readonly messages: readonly MessageView[];
  /** What happens now, in this tab. Null if nothing does. */
  readonly activity: Activity | null;
  /** If the last turn failed: what happened and what to do. Otherwise null. */
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

export interface OutsideView extends OutsideAgent {
  /** Whether messages reach the agent. */
  readonly takesMessages: boolean;
  /** Messages that were not delivered yet. */
  readonly pending: number;
  /** It was asked to stop, but not told yet. */
  readonly stopping: boolean;
}

export interface OutputView {
  readonly callId: string;
  /** The last 20,000 characters of stdout and stderr, as they came. */
  readonly text: string;
  /** The current step, such as a download, in one line. Null if it reports none. */
  readonly progress: string | null;
}

export interface BackgroundView {
  readonly id: string;
  readonly command: string;
  /** In ISO 8601. */
  readonly started: string;
  readonly state: "running" | "ended" | "stopped";
  /** Null while it runs. */
  readonly exitCode: number | null;
}

/** Tokens. `used`: input and output of the last response, as reported by the provider. */
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
  /** The origin, if no one typed the message here: a mentioned agent, or another dialog. */
  readonly from?: From;
  /** The agents that it mentions, and the dialogs in which they answer. */
  readonly mentions?: readonly Mention[];
  /** The agents that answer after the mentioned ones, one after another. */
  readonly order?: readonly string[];
  /** How agents that answer each other continue after this message. */
  readonly turns?: TurnsLeft;
  /** The side fork in which agents answer it. */
  readonly side?: string;
  /** With the summary of a side fork: the topic of the fork. */
  readonly topic?: string;
  /** It asks for a summary of this fork, for the dialog with this id. Or it is the summary of the fork with this id. */
  readonly resolves?: string;
  /** Replaces an answer: why there is none. */
  readonly system?: string;
  /** In a record: the framework of the agent that reports this message, which was written where the agent runs. */
  readonly reportedBy?: string;
  /** ISO times as in the file. `end` is null while the message is being written, and for messages of the user. */
  readonly start: string | null;
  readonly end: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly parts: readonly PartView[];
  /** Only if the provider reported it. */
  readonly usage: UsageView | null;
  readonly usageCumulative: UsageView | null;
  /** Input tokens read from the provider's cache, and written to it. Absent if there were neither. */
  readonly cached?: { readonly read: number; readonly write: number };
  /** Absent if unknown. `nanos`: nanodollars. `reported`: the provider reported it. Otherwise it was computed from `price`, if the file has it. */
  readonly cost?: { readonly nanos: number; readonly reported: boolean; readonly price?: CostPriceView };
  /** The value of `> Stop:`. Null if the message ended by itself. */
  readonly stop: string | null;
}

/**
 * The price that a response's cost was computed from. Microdollars per million tokens. Null: the same as input. `list`: the date of the list that
 * came with Vibey.
 */
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
  /** Lines that are in no field of the message: `Authorized`, `Revoked`, `Waiting`, `Edited`, unknown keys. */
  | { readonly kind: "meta"; readonly lines: readonly Meta[] }
  | { readonly kind: "call"; readonly call: CallView };

export interface CallView {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** The arguments that the user approved instead of `input`, with which the call runs. Absent if unchanged. */
  readonly changed?: JsonObject;
  /** `running`: started, no result yet. `approved`: decided, not started. */
  readonly state: "pending" | "approved" | "running" | "finished" | "denied";
  /** When it was started, as written in the file: ISO 8601 unless the file was edited by hand. */
  readonly started: string | null;
  /** Who allowed it: the user for this call, or an authorization above it. */
  readonly allowedBy: "human" | "authorization" | null;
  /** The lines with patterns that allowed it. Absent if none did. */
  readonly allowedByLines?: readonly { readonly value: string; readonly place: "main" | "this dialog" }[];
  readonly result: Json | null;
  /** SHA-256 (hex) of tool name, id and input as they are in the file. */
  readonly hash: string;
  /** While a `write_file` call on an existing file is pending: the file's current text, to show a diff. Otherwise null. */
  readonly before: string | null;
  /** While an `edit_file` call is pending: the line of the file where the text to replace starts now. Absent if unknown. */
  readonly line?: number;
  /** While it is pending: ways to always allow similar calls, each as the values of the lines that it needs. The first one is suggested. */
  readonly patterns?: readonly (readonly string[])[];
  /** In a record of an outside agent, while it is pending: the exact rules that the agent would save for itself. */
  readonly rules?: readonly string[];
}

/** What a waiting dialog asks the user, without the rest of the dialog. */
export interface AsksAnswer {
  readonly dialogId: string;
  /** The provider that answers after the decision. */
  readonly provider: string;
  /** The undecided calls. Empty for a dialog that does not wait. */
  readonly calls: readonly CallView[];
  /** The response with these calls was cut off. */
  readonly cut: boolean;
  /** The question with which the agent ended. Null if it asked none. */
  readonly question: string | null;
  /** The value of the last message's `> Stop:`. Null if it ended by itself. */
  readonly stop: string | null;
}

export interface DialogAnswer extends DialogView {
  readonly markdown: string;
}

/** Frames of `GET /dialog/:id/stream`: the file's Markdown. `patch`: `text` replaces everything from UTF-16 offset `from` on. */
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

/** Frames of `GET /dialog/:id/stream?view=parsed`. The first is `dialog`. A later `dialog` means that the reader must start over. */
export type ViewFrame =
  | { readonly type: "dialog"; readonly version: number; readonly dialog: DialogView }
  /** Everything in the dialog except its messages. */
  | { readonly type: "head"; readonly version: number; readonly head: Omit<DialogView, "messages"> }
  /** The new content of message `index`. `index` may be one past the end. */
  | { readonly type: "message"; readonly version: number; readonly index: number; readonly message: MessageView }
  /** Appends `text` to text part `part` of message `index`. `part` may be one past the end. */
  | { readonly type: "text"; readonly version: number; readonly index: number; readonly part: number; readonly text: string }
  /** New output of the running command, or its current step (`progress`). */
  | {
      readonly type: "output";
      readonly version: number;
      readonly callId: string;
      readonly stream: "stdout" | "stderr" | "progress";
      readonly text: string;
    }
  | { readonly type: "gone"; readonly version: number };
