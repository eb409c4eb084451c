import type { HostGrant } from "../dialog/ids.ts";
import type { Json, JsonObject } from "../dialog/model.ts";
import type { NetworkAsk } from "./network-ask.ts";

export type Status = "active" | "waiting" | "done";

/** What a list shows about a dialog, as far as this engine has read it. Absent or null if unknown. */
export interface DialogFacts {
  /** What a waiting dialog waits for. Also null if it doesn't wait. */
  readonly waitingFor: WaitingFor | null;
  /** The tool that the agent wants to use, if it asks for exactly one. */
  readonly wants?: string | null | undefined;
  /** The calls that need approval. Null if none do. */
  readonly asks?: AskedCalls | null | undefined;
  /** Seconds after which the user is reminded of calls that need approval. Null: no reminder. */
  readonly asksAgain?: number | null | undefined;
  /** All tokens of the dialog so far, as reported by the provider. */
  readonly tokens?: number | null | undefined;
  /** The known cost of the dialog so far, in nanodollars. */
  readonly cost?: number | null | undefined;
  /** The id of the dialog whose agent launched this one or mentioned its agent. */
  readonly launchedBy?: string | null | undefined;
  /** Whether it answers a mention in the dialog `launchedBy`. Absent: no. */
  readonly answers?: boolean | undefined;
  /** Set if it is a side fork of another dialog. */
  readonly side?: SideFacts | null | undefined;
}

/** A discussion of one message of another dialog. */
export interface SideFacts {
  readonly dialogId: string;
  /** The first message is 1. */
  readonly message: number;
  readonly topic: string;
  /** `resolved`: its summary is written. `discarded`: it was marked as done without a summary. */
  readonly outcome: "open" | "resolved" | "discarded";
  /** If agents answer each other: their replies so far. Otherwise null. */
  readonly replies: number | null;
}

/** The calls that need approval, reduced to what fits in a row of a list. */
export interface AskedCalls {
  readonly count: number;
  /** The first three. `subject`: the first line of what the call works on (its command, its path), shortened. Empty if it has none. */
  readonly first: readonly { readonly tool: string; readonly subject: string }[];
}

export interface DialogListing extends DialogFacts {
  readonly dialogId: string;
  readonly status: Status;
  readonly filename: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** What happens in the dialog now. Null if nothing does. */
  readonly activity: Activity | null;
}

/**
 * `leave`: calls need a decision. `interrupted`: the turn was interrupted because the page was closed or the stream was cut. `question`: the agent
 * asked a question. `stopped`: a human stopped it. `failed`: the provider failed. `word`: any other message from a human.
 */
export type WaitingFor = "leave" | "interrupted" | "question" | "stopped" | "failed" | "word";

export interface StopAllAnswer {
  readonly ok: true;
  /** Ids of the dialogs that were stopped. */
  readonly stopped: readonly string[];
}

/** The current limits, and how much of them is used. */
export interface LimitsAnswer {
  readonly limits: readonly {
    /** `command`: seconds that a command may run in a dialog without its own limit. */
    readonly name: "agents" | "depth" | "launches" | "requests" | "command";
    readonly value: number;
    /** The source of the value: a `> Limit:` line of doc-main.md, or Vibey's default. */
    readonly from: "doc-main.md" | "default";
  }[];
  /** The project's spending limit and what was spent of it, in nanodollars (billionths of a US dollar). Null if there is no limit. */
  readonly cost: { readonly nanos: number; readonly spent: number; readonly period: "day" | "week" | "month" | null } | null;
  /** The default limits of a run. */
  readonly run: { readonly agents: number; readonly depth: number; readonly fanout: number; readonly tokens: number };
  /** Ids of the running dialogs, and of the queued ones in order. */
  readonly running: readonly string[];
  readonly queued: readonly string[];
}

export interface NewDialogBody {
  readonly provider: string;
  readonly model?: string;
  readonly slug?: string;
  /**
   * The slug of one of your agents. The dialog gets its prompt, its tools and, if `model` is absent, its model. 404 if there is no such active agent.
   */
  readonly agent?: string;
  /** A title makes it a room, which has no agent of its own: only mentioned agents answer a message. */
  readonly room?: string;
}

export interface PutDialogBody {
  readonly dialogId: string;
  readonly status?: "waiting" | "done";
  readonly prompt?: string;
  /** Slugs of the agents that answer the prompt, each in its own dialog. Absent: the agents mentioned in the text (`@coder`). `[]`: none. */
  readonly mentions?: readonly string[];
  /**
   * `sequence`: the agents answer one after another, each with the answers before it. `turns`: two or more agents answer each other in a side fork,
   * until one ends with `DONE` or there are 10 replies. The fork is then resolved. 409 for fewer than two agents. Absent: all answer at the same
   * time.
   */
  readonly order?: "sequence" | "turns";
  /** Repeats the last failed request without a new message of the user. Can't be combined with `prompt` or `decisions`. */
  readonly again?: true;
  /** Lines `<tool_call_id>: approve` or `: deny` between `əəə` lines (optional in input), or `[{id, approved}]`. */
  readonly decisions?: string | readonly { readonly id: string; readonly approved: boolean }[];
  /**
   * Lines `allow <tool_name>` or `deny <tool_name>` between `əəə` lines, or names to allow. Instead of a name, the value of a line with a pattern:
   * `command npm test *`, `writes under src/`. An invalid pattern: 400.
   */
  readonly authorizations?: string | readonly string[];
  /**
   * In a record of an agent outside Vibey: ids of approved calls. The rules that the agent suggests for them (`CallView.rules`) apply from now on.
   */
  readonly always?: readonly string[];
  /**
   * What was shown when the user decided: call id → `CallView.hash`. Required for each approved call. 409, and the call doesn't run, if it has
   * changed since.
   */
  readonly hashes?: Readonly<Record<string, string>>;
  /**
   * Call id → arguments to approve instead of the agent's. 422 if they don't fit the tool, 409 if the call was already approved with others.
   * Ignored unless `decisions` approves the call.
   */
  readonly changes?: Readonly<Record<string, JsonObject>>;
  readonly provider?: string;
  readonly model?: string;
  /**
   * What the commands of this dialog may do at a host from now on. `host` includes the port unless it is the default one. `true`: `any method`.
   * `question`: the question that this answers (`NetworkAsk.question`). While a question about the host is open, an answer that allows anything must
   * name it. 409 if it names another one. Or lines `<host> [<question>]: <word>` or `: refuse` between `əəə` lines (optional).
   */
  readonly network?: string | readonly { readonly host: string; readonly allow: boolean | HostGrant; readonly question?: string }[];
  /**
   * `command`: seconds that a command of this dialog may run from now on, 1 to 3600. `cost`: `once` lets the turn that starts now exceed the
   * project's spending limit. `unknown` lets this dialog continue with models whose price is unknown.
   */
  readonly limits?: { readonly command?: number; readonly cost?: "once" | "unknown" };
  /** The background command to stop. */
  readonly stopBackground?: string;
}

export interface ForkBody {
  /** The first message is 1. */
  readonly message: number;
  /** Replaces message `message`, which must be a human's, and is sent at once. Without it the fork ends with that message and waits. */
  readonly prompt?: string;
  /**
   * With a topic of one line, at most 100 characters, and without prompt and model: a side fork. That is a room in which this one message is
   * discussed. When it is resolved, its summary returns to this dialog.
   */
  readonly side?: true;
  readonly topic?: string;
  /** Who answers the prompt. Default: the same as in the original dialog. */
  readonly provider?: string;
  readonly model?: string;
}

export interface StatusAnswer {
  readonly ok: true;
  readonly dialogId: string;
  readonly filename: string;
  readonly status: Status;
  /** If agents were mentioned: the number of the message (the first is 1), and the dialogs in which they answer. */
  readonly message?: number;
  /** The side fork in which they answer each other. */
  readonly side?: string;
  readonly tasks?: readonly { readonly agent: string; readonly dialogId: string; readonly status: "queued" }[];
}

export type Activity =
  /**
   * It waits until a limit allows it to continue, or until what it `needs` is available. `ahead`: how many wait before it. `reason`: the limit, or
   * what the user has to do, in sentences. `paused`: the user has paused the agent or its run.
   */
  | { readonly kind: "queued"; readonly ahead: number; readonly reason: string; readonly needs?: "key"; readonly paused?: true }
  | { readonly kind: "thinking" }
  | { readonly kind: "writing" }
  /** `ask`: the command waits for a human to decide whether it may reach a host. */
  | { readonly kind: "running"; readonly callId: string; readonly tool: string; readonly ask: NetworkAsk | null }
  | { readonly kind: "retrying"; readonly at: number; readonly reason: string };

/** Frames of `POST /dialog` and `PUT /dialog`. A reader skips unknown types. */
export type Frame =
  | { readonly type: "chunk"; readonly content: string }
  | { readonly type: "tool_request"; readonly toolCalls: readonly ToolCall[]; readonly dialogId: string; readonly filename: string }
  | { readonly type: "done"; readonly result: TurnResult }
  | { readonly type: "error"; readonly error: string }
  /** The dialog is stored and has its id. Sent first. */
  | { readonly type: "dialog"; readonly dialogId: string; readonly filename: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

export interface TurnResult {
  readonly dialogId: string;
  readonly filename: string;
  readonly provider: string;
  readonly model: string;
  /** The text of the turn: all its responses, joined by a blank line. */
  readonly content: string;
  readonly toolCalls: readonly ToolCall[] | null;
  readonly autoExecuted: readonly { readonly id: string; readonly name: string; readonly result: Json }[];
  readonly status: Status;
  readonly interrupted?: true;
}
