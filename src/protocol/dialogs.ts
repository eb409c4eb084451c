import type { HostGrant } from "../dialog/ids.ts";
import type { Json, JsonObject } from "../dialog/model.ts";
import type { NetworkAsk } from "./network-ask.ts";

export type Status = "active" | "waiting" | "done";

/** What a list says of a dialog, as far as this engine has looked into it; absent or null where it is not known. */
export interface DialogFacts {
  /** What a waiting dialog waits for; null for one that does not wait, too. */
  readonly waitingFor: WaitingFor | null;
  /** The tool that it wants to use, when it asks for one and no other. */
  readonly wants?: string | null | undefined;
  /** The calls that need approval; null when none does. */
  readonly asks?: AskedCalls | null | undefined;
  /** Seconds after which the user is told again that calls need approval; null: once is enough. */
  readonly asksAgain?: number | null | undefined;
  /** All of the dialog's so far, as the provider reported them. */
  readonly tokens?: number | null | undefined;
  /** Nanodollars that the dialog cost so far, as far as that is known. */
  readonly cost?: number | null | undefined;
  /** Id of the dialog whose agent launched it, or in which its agent was mentioned. */
  readonly launchedBy?: string | null | undefined;
  /** It answers a mention in the dialog `launchedBy`; absent: it doesn't. */
  readonly answers?: boolean | undefined;
  /** It is a side fork of another dialog; null or absent: it is none. */
  readonly side?: SideFacts | null | undefined;
}

/** A discussion of one message of another dialog. */
export interface SideFacts {
  readonly dialogId: string;
  /** The first message is 1. */
  readonly message: number;
  readonly topic: string;
  /** `resolved`: its summary is written. `discarded`: it was marked as done without one. */
  readonly outcome: "open" | "resolved" | "discarded";
  /** Where agents answer each other: their replies so far. null: none do. */
  readonly replies: number | null;
}

/** The calls that need approval, as much as fits into a row of a list. */
export interface AskedCalls {
  readonly count: number;
  /** The first three. `subject`: the first line of what the call works on (its command, its path), cut; "" when it names nothing. */
  readonly first: readonly { readonly tool: string; readonly subject: string }[];
}

export interface DialogListing extends DialogFacts {
  readonly dialogId: string;
  readonly status: Status;
  readonly filename: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** What happens in it now; null when nothing does. */
  readonly activity: Activity | null;
}

/**
 * `leave`: calls are undecided. `interrupted`: its turn broke off, because the page was closed or the stream was cut. `question`: the agent
 * asked one. `stopped`: a human stopped it. `failed`: the provider did. `word`: anything else that a human has to say.
 */
export type WaitingFor = "leave" | "interrupted" | "question" | "stopped" | "failed" | "word";

export interface StopAllAnswer {
  readonly ok: true;
  /** Ids of the dialogs that were stopped. */
  readonly stopped: readonly string[];
}

/** The limits that hold now, and how much of them is used. */
export interface LimitsAnswer {
  readonly limits: readonly {
    /** `command`: seconds that a command may run, in a dialog that sets no limit of its own. */
    readonly name: "agents" | "depth" | "launches" | "requests" | "command";
    readonly value: number;
    /** Where the value comes from: a `> Limit:` line of doc-main.md, or Vibey itself. */
    readonly from: "doc-main.md" | "default";
  }[];
  /** What the project may cost, and what it has cost of that: nanodollars, billionths of a US dollar. null: there is no such limit. */
  readonly cost: { readonly nanos: number; readonly spent: number; readonly period: "day" | "week" | "month" | null } | null;
  /** What a run may that says nothing else. */
  readonly run: { readonly agents: number; readonly depth: number; readonly fanout: number; readonly tokens: number };
  /** Ids of the dialogs that run, and of those that wait for their turn, first one first. */
  readonly running: readonly string[];
  readonly queued: readonly string[];
}

export interface NewDialogBody {
  readonly provider: string;
  readonly model?: string;
  readonly slug?: string;
  /** The slug of one of yours: the dialog has its prompt, its tools, and its model where none is named. 404 when there is none that is active. */
  readonly agent?: string;
  /** A title makes it a room, without an agent of its own: a message is answered by those whom it mentions, and by no one else. */
  readonly room?: string;
}

export interface PutDialogBody {
  readonly dialogId: string;
  readonly status?: "waiting" | "done";
  readonly prompt?: string;
  /** The agents that answer the prompt, by slug, each in a dialog of its own. Left out: those that its text names (`@coder`). `[]`: none. */
  readonly mentions?: readonly string[];
  /**
   * `sequence`: they answer one after another, each with the answers before it. `turns`: two or more answer each other in a side fork, until one
   * ends with `DONE` or there are 10 replies; then it is resolved. 409 where they are fewer. Left out: at the same time.
   */
  readonly order?: "sequence" | "turns";
  /** The request that failed last is made again, without a message of the user's. Without `prompt` and `decisions`. */
  readonly again?: true;
  /** Lines `<tool_call_id>: approve` or `: deny` between `əəə` lines (optional on input); or `[{id, approved}]`. */
  readonly decisions?: string | readonly { readonly id: string; readonly approved: boolean }[];
  /**
   * Lines `allow <tool_name>` or `deny <tool_name>` between `əəə` lines; or names to allow. In place of a name the value of a line with a
   * pattern: `command npm test *`, `writes under src/`. What is meant as one and is none: 400.
   */
  readonly authorizations?: string | readonly string[];
  /** In a record of an agent outside Vibey: ids of calls that are approved, for which the rules that it suggests (`CallView.rules`) hold from then on. */
  readonly always?: readonly string[];
  /** What was shown when the user decided: call id → `CallView.hash`. Required of each call that is approved. A call that reads otherwise now is not run: 409. */
  readonly hashes?: Readonly<Record<string, string>>;
  /** Call id → arguments with which it is approved, in place of the agent's. 422 when they don't fit its tool; they count only where `decisions` approves it. */
  readonly changes?: Readonly<Record<string, JsonObject>>;
  readonly provider?: string;
  readonly model?: string;
  /**
   * What the commands of this dialog may do at a host from here on; `host` with its port when that is not the usual one. `true`: `any method`.
   * `question`: which question this answers (`NetworkAsk.question`). While one about the host is open, an answer that allows anything has to
   * name it; one that names another is not taken: 409. Or lines `<host> [<question>]: <word>` or `: refuse` between `əəə` lines (optional).
   */
  readonly network?: string | readonly { readonly host: string; readonly allow: boolean | HostGrant; readonly question?: string }[];
  /**
   * `command`: seconds that a command of this dialog may run from here on, 1 to 3600. `cost`: `once` lets the turn that begins continue past
   * the limit of what the project may cost; `unknown` lets this dialog continue with models whose price no one knows.
   */
  readonly limits?: { readonly command?: number; readonly cost?: "once" | "unknown" };
  /** The command in the background that is to be stopped. */
  readonly stopBackground?: string;
}

export interface ForkBody {
  /** The first message is 1. */
  readonly message: number;
  /** Said in the place of message `message`, which is a human's, and sent at once. Without it the fork ends with that message and waits. */
  readonly prompt?: string;
  /**
   * With a topic of one line, at most 100 characters, and neither prompt nor model: a side fork. That is a room in which this one message is
   * discussed. Resolved, its summary comes back to this dialog.
   */
  readonly side?: true;
  readonly topic?: string;
  /** Who answers the prompt; anyone who answers in the old dialog, when it is not said. */
  readonly provider?: string;
  readonly model?: string;
}

export interface StatusAnswer {
  readonly ok: true;
  readonly dialogId: string;
  readonly filename: string;
  readonly status: Status;
  /** Where agents were mentioned: the number of the message (the first is 1), and the dialogs in which they answer. */
  readonly message?: number;
  /** The side fork in which they answer each other. */
  readonly side?: string;
  readonly tasks?: readonly { readonly agent: string; readonly dialogId: string; readonly status: "queued" }[];
}

export type Activity =
  /**
   * It waits until a limit lets it continue, or until what it `needs` is there. `ahead`: how many wait before it. `reason`: which limit, or
   * what is to be done, in sentences.
   */
  | { readonly kind: "queued"; readonly ahead: number; readonly reason: string; readonly needs?: "key" }
  | { readonly kind: "thinking" }
  | { readonly kind: "writing" }
  /** `ask`: the command waits because it wants to reach a host, and a human has to say whether it may. */
  | { readonly kind: "running"; readonly callId: string; readonly tool: string; readonly ask: NetworkAsk | null }
  | { readonly kind: "retrying"; readonly at: number; readonly reason: string };

/** Frames of `POST /dialog` and `PUT /dialog`. A reader skips types it does not know. */
export type Frame =
  | { readonly type: "chunk"; readonly content: string }
  | { readonly type: "tool_request"; readonly toolCalls: readonly ToolCall[]; readonly dialogId: string; readonly filename: string }
  | { readonly type: "done"; readonly result: TurnResult }
  | { readonly type: "error"; readonly error: string }
  /** The dialog is stored and has its id; sent first. */
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
  /** The text of the turn, all of its responses joined by a blank line. */
  readonly content: string;
  readonly toolCalls: readonly ToolCall[] | null;
  readonly autoExecuted: readonly { readonly id: string; readonly name: string; readonly result: Json }[];
  readonly status: Status;
  readonly interrupted?: true;
}
