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
 * One dialog as the engine sees it: the content of its file, and its current activity in this engine. Everything that must outlive the engine is
 * in `dialog` and `status`, so a state with `turn: null` can be built from the file alone.
 */
export interface State {
  readonly dialog: Dialog;
  readonly status: Status;
  readonly turn: Turn | null;
}

/**
 * Everything from the user's message until a human has to act again. It can take many responses. `responding`: a section is being written.
 * `settling`: the calls of the last section run, one after another.
 */
export interface Turn {
  readonly phase: "responding" | "settling";
  /** Requests to the provider so far. */
  readonly requests: number;
  /** The id of the running call. Null if none is running. */
  readonly running: string | null;
  /** Permissions that the user changed while a section was being written. They are written at the end of the section. */
  readonly held: readonly AuthorityChange[];
  /** The text of the turn so far, for callers that wait for its end. */
  readonly content: string;
  /** Calls that ran without approval, for callers that wait for the end. */
  readonly autoExecuted: readonly { readonly id: string; readonly name: string; readonly result: Json }[];
  /** The user let this turn continue past the spending limit. */
  readonly pastCost?: true;
}

/**
 * What the user permits the dialog from now on: to run a tool without approval, or the part of it that a pattern covers (`tool` is then the
 * pattern's value), to reach a host, to let a command run for so many seconds, or to continue past the spending limit (`once`: for this turn;
 * `unknown`: with models whose price is unknown).
 */
export type AuthorityChange =
  | { readonly tool: string; readonly allow: boolean }
  | { readonly host: string; readonly word: HostWord }
  | { readonly cost: "once" | "unknown" }
  | { readonly commandSeconds: number };

/** An answer, or the reason why there is none (`system`). */
export interface Reply {
  /** The agent that answers next, and those after it. Left out if there is none. */
  readonly next?: { readonly mention: Mention; readonly order: readonly string[]; readonly turns?: TurnsLeft };
  /** No one answers after it: the side fork is to be summed up for the dialog `to`, in the user's words. */
  readonly end?: { readonly mention: Mention; readonly to: string; readonly prompt: string };
  readonly from: Extract<From, { kind: "agent" }>;
  readonly text: string;
  readonly system: boolean;
  /** The tokens and cost in the agent's own dialog, where they were paid. Left out if the provider reported nothing. */
  readonly used?: UsedThere;
  /** The fork that the reply sums up. `topic` is the subject of the fork. */
  readonly resolves?: string;
  readonly topic?: string;
}

/** A message from an agent to the agent that started it, sent with `signal_parent`. */
export interface Signal {
  readonly from: Extract<From, { kind: "signal" }>;
  readonly text: string;
}

/** Times are ISO 8601, UTC, with milliseconds. */
export type Event =
  | {
      /** The user acts: decisions, permissions, a prompt, or several of them. Either all of it is stored or none. */
      readonly type: "put";
      readonly decisions: ReadonlyMap<string, "approve" | "deny">;
      /** The arguments that the user approved instead of the agent's, by call id. */
      readonly changes?: ReadonlyMap<string, JsonObject>;
      readonly authority: readonly AuthorityChange[];
      readonly prompt: string | null;
      /** Identifies the message. A second message with the same key is ignored. */
      readonly key?: string;
      /** The agents that answer the prompt, each in its own dialog. Then no request is made here. Left out if there are none. */
      readonly mentions?: readonly Mention[];
      /** The prompt asks for a summary of this fork, for the dialog with this id. */
      readonly resolves?: string;
      /** The side fork in which agents answer the prompt. Then no request is made here. */
      readonly side?: string;
      /** The agents that answer afterwards, one after another, by slug. */
      readonly order?: readonly string[];
      /** The origin of the prompt, if the user wrote it in another dialog. */
      readonly from?: From;
      /** Repeats the failed request without a new message from the user. */
      readonly again?: true;
      readonly provider: string;
      readonly model: string;
      readonly time: string;
    }
  /**
   * The user stops the dialog or marks it done. `tail` is the rest of the text that was being streamed. `fault`: it was not the user, but Vibey
   * failed. It says why, in one line, and means that no one continues what was running.
   */
  | {
      readonly type: "stop";
      readonly fault?: string;
      readonly status: "waiting" | "done";
      readonly tail: LastTextPiece | null;
      readonly usage: Usage | null;
      /** The cost of the response. Left out if it is unknown. */
      readonly cost?: Cost | null;
      readonly time: string;
    }
  /** Mentioned agents have answered. Allowed only while no turn is active and no call is undecided. */
  | { readonly type: "deliver"; readonly replies: readonly Reply[]; readonly time: string }
  /** Lines about a run that only the user may write. They are written at once, even while a section is being written. */
  | { readonly type: "words"; readonly lines: readonly Meta[] }
  /**
   * Agents below this one send it signals, each as a message that names its source. Allowed only while no turn is active and no call is
   * undecided. `wake`: starts a turn that answers them.
   */
  | {
      readonly type: "signals";
      readonly signals: readonly Signal[];
      readonly wake: boolean;
      readonly time: string;
      /** The agent's changed definition, which it is told before the signals. `dialogId` is its own dialog. */
      readonly redefined?: Definition & { readonly dialogId: string };
    }
  /** The turn has to wait in the queue before its next step. */
  | { readonly type: "queued"; readonly time: string }
  /** The provider is asked after the dialog has waited in the queue. */
  | { readonly type: "asked"; readonly time: string }
  | { readonly type: "text"; readonly piece: TextPiece }
  /** The model begins a call. `tail`: the rest of the text before it. */
  | { readonly type: "call_start"; readonly id: string; readonly name: string; readonly tail: LastTextPiece | null }
  /** A call is complete. `at`: how many calls of the response began before it. Left out if the call's beginning was not reported. */
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
      /** The cost of the response. Left out if it is unknown. */
      readonly cost?: Cost | null;
      /** The size of the model's context window, in tokens. Null if it is unknown. */
      readonly window: number | null;
      readonly tail: LastTextPiece | null;
      readonly time: string;
      /** By call id, the subject that a pattern can match. No pattern covers a call that is missing here. */
      readonly subjects?: ReadonlyMap<string, Subject>;
    }
  /** The claim of a call that runs outside the store. It is never started again. */
  | { readonly type: "claimed"; readonly id: string; readonly time: string }
  | { readonly type: "finished"; readonly id: string; readonly result: Json; readonly time: string }
  /**
   * The dialog is `active`, or has a claim that no one holds, and no one works on it. `time`: the last change of its file. `atStart`: the engine
   * is starting, so the dialog may continue to wait in its queue.
   */
  | { readonly type: "found"; readonly time: string; readonly atStart?: true };

/** What has to happen after the state is stored. */
export type Effect =
  | { readonly type: "request"; readonly provider: string; readonly model: string }
  | { readonly type: "run"; readonly call: Call }
  /** Abort everything that runs for this dialog. */
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
      /** `strict` for everything that is acknowledged. Streamed text is `relaxed`. */
      readonly durability: "strict" | "relaxed";
    }
  | { readonly ok: false; readonly refusal: Refusal };

export interface DecidedCall {
  readonly id: string;
  readonly decision: "approved" | "denied";
  /** The call was approved with other arguments than those of the new approval. */
  readonly withOtherArguments?: true;
}

export type Refusal =
  /** A prompt while a turn is active, or a decision on calls whose response is still being written. */
  | { readonly kind: "active" }
  /** A prompt that would leave these calls undecided. */
  | { readonly kind: "undecided"; readonly ids: readonly string[] }
  /** There is no failed turn to try again. */
  | { readonly kind: "not-failed" }
  /** A decision that contradicts the earlier decision on these calls. */
  | { readonly kind: "decided"; readonly calls: readonly DecidedCall[] }
  /** An approval of calls that the user has already stopped. */
  | { readonly kind: "stopped"; readonly ids: readonly string[] }
  /** The user's arguments don't fit the tool. */
  | { readonly kind: "unfit"; readonly id: string; readonly why: string }
  /** This Vibey can only show files with this format number. */
  | { readonly kind: "format"; readonly format: number | null }
  /** A call that has been answered in the meantime, for example by a stop, can't begin or end. */
  | { readonly kind: "settled"; readonly id: string };

/** What the machine must know about tools. Null if the call can run in this dialog. Otherwise the reason why not, for the model. */
export type CheckCall = (call: { readonly name: string; readonly input: Call["input"] }, dialog: Dialog) => string | null;

export interface MachineOptions {
  readonly check: CheckCall;
  /** Whether the call needs a decision even if its tool is allowed without approval. Left out if no call does. */
  readonly asksAlways?: (call: Pick<Call, "name" | "input">) => boolean;
  readonly requestsPerTurn: number;
}
