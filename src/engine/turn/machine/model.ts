import type { Definition } from "../../../dialog/redefined.ts";
import type { Subject } from "../../../dialog/grants.ts";
import type { HostWord } from "../../../dialog/ids.ts";
import type { From, Mention, TurnsLeft } from "../../../dialog/replies.ts";
import type { Status } from "../../../protocol/index.ts";
import type { EditOp } from "../../../dialog/edit.ts";
import type { Call, Dialog, Json, JsonObject, Meta } from "../../../dialog/model.ts";
import type { LastTextPiece, TextPiece } from "../../../dialog/text-writer.ts";
import type { Cost } from "../../cost/lines.ts";
import type { CallInput, Stop } from "../../providers/provider.ts";
import type { Usage } from "../../cost/usage.ts";
import type { UsedThere } from "./used-there.ts";

/**
 * One dialog as the engine has it: what its file says, and what happens to it right now in this engine. Everything that
 * must outlive the engine stands in `dialog` and `status`, so that a state with `turn: null` is made from the file alone.
 */
export interface State {
  readonly dialog: Dialog;
  readonly status: Status;
  readonly turn: Turn | null;
}

/**
 * From the user's word to the next moment in which a human has to act, over as many responses as that takes.
 * `responding`: a section is being written. `settling`: calls of the last section run, one after another.
 */
export interface Turn {
  readonly phase: "responding" | "settling";
  /** Requests to the provider so far. */
  readonly requests: number;
  /** The call that runs, if one does. */
  readonly running: string | null;
  /** What the user said may be done, while a section was being written; it is written at the section's end. */
  readonly held: readonly AuthorityChange[];
  /** The text of the turn so far, for anyone who waits for its end. */
  readonly content: string;
  /** What ran without asking, for anyone who waits for the end. */
  readonly autoExecuted: readonly { readonly id: string; readonly name: string; readonly result: Json }[];
  /** The user let this turn continue past the limit of what may be spent. */
  readonly pastCost?: true;
}

/**
 * What the dialog may do from here on, by the user's word: run a tool without asking, or what a pattern covers of it (`tool` is then the
 * pattern's value), reach a host, let a command run for so long, continue
 * past the limit of what may be spent (`once`: this turn; `unknown`: with models whose price no one knows).
 */
export type AuthorityChange =
  | { readonly tool: string; readonly allow: boolean }
  | { readonly host: string; readonly word: HostWord }
  | { readonly cost: "once" | "unknown" }
  | { readonly commandSeconds: number };

/** An answer, or (`system`) why there is none. */
export interface Reply {
  /** The agent that answers next, and those after it. Left out: none does. */
  readonly next?: { readonly mention: Mention; readonly order: readonly string[]; readonly turns?: TurnsLeft };
  /** No one answers after it: the side fork is to be summed up for the dialog `to`, in the user's words. */
  readonly end?: { readonly mention: Mention; readonly to: string; readonly prompt: string };
  readonly from: Extract<From, { kind: "agent" }>;
  readonly text: string;
  readonly system: boolean;
  /** What it took in the agent's own dialog, where it was paid; left out: the provider reported nothing. */
  readonly used?: UsedThere;
  /** The fork that it sums up; `topic`: what that was about. */
  readonly resolves?: string;
  readonly topic?: string;
}

/** What an agent says to the one that started it, with `signal_parent`. */
export interface Signal {
  readonly from: Extract<From, { kind: "signal" }>;
  readonly text: string;
}

/** Times are ISO 8601, UTC, with milliseconds. */
export type Event =
  | {
      /** The user acts: decisions, authority, a prompt, or several of them at once; all of it is stored or none. */
      readonly type: "put";
      readonly decisions: ReadonlyMap<string, "approve" | "deny">;
      /** By call id, the arguments with which the user approves it in place of the agent's. */
      readonly changes?: ReadonlyMap<string, JsonObject>;
      readonly authority: readonly AuthorityChange[];
      readonly prompt: string | null;
      /** Names the message: a second one with the key of an earlier one says nothing. */
      readonly key?: string;
      /** The agents that answer the prompt, each in a dialog of its own; then no request is made here. Left out: none. */
      readonly mentions?: readonly Mention[];
      /** The prompt asks for a summary of this fork, for the dialog with this id. */
      readonly resolves?: string;
      /** The side fork in which agents answer the prompt; then no request is made here. */
      readonly side?: string;
      /** Those that answer after them, one after another, by slug. */
      readonly order?: readonly string[];
      /** Where the prompt comes from, when the user said it in another dialog. */
      readonly from?: From;
      /** The request that failed is made again, without a word of the user's. */
      readonly again?: true;
      readonly provider: string;
      readonly model: string;
      readonly time: string;
    }
  /**
   * The user stops the dialog or marks it done. `tail` is the rest of the text that was being streamed. `fault`: it was not the user but
   * Vibey, which failed, in one line; no one continues with what ran.
   */
  | {
      readonly type: "stop";
      readonly fault?: string;
      readonly status: "waiting" | "done";
      readonly tail: LastTextPiece | null;
      readonly usage: Usage | null;
      /** What the response cost; left out: that is not known. */
      readonly cost?: Cost | null;
      readonly time: string;
    }
  /** Agents that were mentioned have answered. Only while no turn continues and no call is undecided. */
  | { readonly type: "deliver"; readonly replies: readonly Reply[]; readonly time: string }
  /** Lines that the user alone may write, about a run. They are written at once, whatever is being written. */
  | { readonly type: "words"; readonly lines: readonly Meta[] }
  /**
   * What agents below this one say to it, each a message of its own that says where it comes from. Only while no turn continues and no call is
   * undecided. `wake`: a turn begins that answers them.
   */
  | {
      readonly type: "signals";
      readonly signals: readonly Signal[];
      readonly wake: boolean;
      readonly time: string;
      /** What its file says now, which it is told before them; `dialogId`: its own. */
      readonly redefined?: Definition & { readonly dialogId: string };
    }
  /** What the turn is to do next has to wait until others have ended. */
  | { readonly type: "queued"; readonly time: string }
  /** The provider is asked after the dialog had to wait for its turn. */
  | { readonly type: "asked"; readonly time: string }
  | { readonly type: "text"; readonly piece: TextPiece }
  /** The model begins a call. `tail`: the rest of the text before it. */
  | { readonly type: "call_start"; readonly id: string; readonly name: string; readonly tail: LastTextPiece | null }
  /** A call is complete. `at`: how many calls of the response began before it; left out for one whose beginning was not told. */
  | {
      readonly type: "call";
      readonly at?: number;
      readonly id: string;
      readonly name: string;
      readonly input: CallInput;
      readonly tail: LastTextPiece | null;
    }
  | {
      readonly type: "ended";
      /** `limit`: the provider was not asked, because a limit was reached. */
      readonly stop: Stop | { readonly kind: "limit"; readonly which: string };
      readonly usage: Usage | null;
      /** What the response cost; left out: that is not known. */
      readonly cost?: Cost | null;
      /** Tokens that the model's window holds; null when that is not known. */
      readonly window: number | null;
      readonly tail: LastTextPiece | null;
      readonly time: string;
      /** By the id of a call, what a pattern can be about in it. A call that is missing is covered by none. */
      readonly subjects?: ReadonlyMap<string, Subject>;
    }
  /** The claim of a call that runs outside the store: from here on it is never started again. */
  | { readonly type: "claimed"; readonly id: string; readonly time: string }
  | { readonly type: "finished"; readonly id: string; readonly result: Json; readonly time: string }
  /**
   * The dialog is found `active`, or with a claim that no one holds, and no one works on it. `time`: its file's last change. `atStart`: by an
   * engine that starts, in whose queue it may wait on.
   */
  | { readonly type: "found"; readonly time: string; readonly atStart?: true };

/** What is to be done once the state is stored. */
export type Effect =
  | { readonly type: "request"; readonly provider: string; readonly model: string }
  | { readonly type: "run"; readonly call: Call }
  /** Whatever runs for this dialog is to be aborted. */
  | { readonly type: "abort" }
  | { readonly type: "tool_request"; readonly calls: readonly Call[] }
  | { readonly type: "failed"; readonly message: string }
  /** The turn is over. */
  | { readonly type: "done"; readonly turn: Turn; readonly calls: readonly Call[]; readonly interrupted: boolean };

export type Step =
  | {
      readonly ok: true;
      readonly state: State;
      readonly ops: readonly EditOp[];
      readonly effects: readonly Effect[];
      /** `strict` for what is acknowledged; streamed text is `relaxed`. */
      readonly durability: "strict" | "relaxed";
    }
  | { readonly ok: false; readonly refusal: Refusal };

export interface DecidedCall {
  readonly id: string;
  readonly decision: "approved" | "denied";
}

export type Refusal =
  /** A prompt, or a decision on calls whose response is still being written, while a turn continues. */
  | { readonly kind: "active" }
  /** A prompt that would leave these calls undecided. */
  | { readonly kind: "undecided"; readonly ids: readonly string[] }
  /** There is no failed turn that could be tried again. */
  | { readonly kind: "not-failed" }
  /** A decision that contradicts the one that was made on these calls. */
  | { readonly kind: "decided"; readonly calls: readonly DecidedCall[] }
  /** An approval of calls that the user stopped before. */
  | { readonly kind: "stopped"; readonly ids: readonly string[] }
  /** The user's arguments don't fit the tool. */
  | { readonly kind: "unfit"; readonly id: string; readonly why: string }
  /** The file has a format number that this Vibey only shows. */
  | { readonly kind: "format"; readonly format: number | null }
  /** A call that was answered meanwhile, such as by a stop, neither begins nor ends anymore. */
  | { readonly kind: "settled"; readonly id: string };

/** What the machine must know of the tools: null when the call can run in this dialog, else why it can't, for the model. */
export type CheckCall = (call: { readonly name: string; readonly input: Call["input"] }, dialog: Dialog) => string | null;

export interface MachineOptions {
  readonly check: CheckCall;
  /** Whether the call needs a decision although its tool is allowed without asking. Left out: none does. */
  readonly asksAlways?: (call: Pick<Call, "name" | "input">) => boolean;
  readonly requestsPerTurn: number;
}
