import type { Actor } from "../../fs/actor.ts";
import type { JsonObject, Json } from "../model.ts";
import type { ToolCategory } from "../outside.ts";

/**
 * Something that happened, as a dialog's text says it. An event is never stored: `eventsOf` reads it from the dialog each time, and its id says
 * where it stands, so the same text gives the same events.
 */
export type DialogEvent = EventData & {
  /**
   * `<dialogId>/<generation>/<place>.<type>`. The generation counts the `> Edited:` lines. The place is `h` in the header, `<section>` for
   * the head of a section, or `<section>.<part>`, counted from 0; a further `.<n>` tells several of one type and place apart.
   */
  readonly id: string;
  /** ISO 8601; empty where the text says no time at all. */
  readonly time: string;
  /** The text says the time of this event itself. Otherwise `time` is that of the last thing before it that has one. */
  readonly exact: boolean;
  readonly severity: Severity;
  readonly actor: Actor;
  readonly dialogId: string;
  /** The file that defined the dialog's agent, as a path of the project; null: none did. */
  readonly agentId: string | null;
  /** The section of the message that began what it belongs to. */
  readonly turn: number;
  /** Where it stands; null: in the header. */
  readonly anchor: Anchor | null;
};

export type Severity = "info" | "warning" | "error";

/** `section` and `part` counted from 0; a `part` is missing where the section's head says it. */
export interface Anchor {
  readonly section: number;
  readonly part?: number;
  /** The id of the call. */
  readonly call?: string;
}

export type EventType = EventData["type"];

/** What each type of event tells. */
export type EventData =
  /** The dialog begins. `by`: the id of the dialog that launched it; null: the user started it. `answers`: of the one in which it was mentioned. */
  | Typed<
      "activation",
      {
        readonly title: string;
        readonly provider: string | null;
        readonly model: string | null;
        readonly by: string | null;
        readonly answers: string | null;
      }
    >
  /** Someone writes to the agent. */
  | Typed<"message", { readonly text: string }>
  /** The provider is asked. `answers`: what other agents said that began this turn, and who of them spoke last. */
  | Typed<
      "request",
      {
        readonly provider: string | null;
        readonly model: string | null;
        readonly answers?: { readonly from: string; readonly text: string };
      }
    >
  /** The agent says something, whole. */
  | Typed<"text", { readonly text: string }>
  /** The agent asks for a tool. `category`, `context`: what it does, as an agent outside Vibey says. */
  | Typed<
      "tool_call",
      {
        readonly call: string;
        readonly tool: string;
        readonly input: JsonObject;
        readonly category?: ToolCategory;
        readonly context?: string;
      }
    >
  /** It was decided. `from`: by the user, or by a line that allows it without asking. `edited`: the user approved other arguments. */
  | Typed<
      "approval",
      {
        readonly call: string;
        readonly tool: string;
        readonly decision: "approved" | "denied";
        readonly from: "human" | "authority";
        readonly edited?: true;
      }
    >
  /** `ms`: how long it took, in milliseconds; null where the result doesn't say. `code`: a command's exit code, the same. */
  | Typed<
      "tool_result",
      {
        readonly call: string;
        readonly tool: string;
        readonly ok: boolean;
        readonly result: Json;
        readonly error: string | null;
        readonly ms: number | null;
        readonly code: number | null;
      }
    >
  /** A call changed a file. */
  | Typed<"file_change", { readonly call: string; readonly path: string; readonly op: "write" | "edit" | "delete" }>
  /**
   * An agent says something to the one that started it, in whose dialog this stands. `child`: its dialog. `call`: the one with which it did.
   * `to`: the root of a run says it to the user, in its own dialog.
   */
  | Typed<"signal", { readonly child: string; readonly call: string; readonly text: string; readonly to?: "user" }>
  /** The file that defines the dialog's agent, as it was when the dialog began. `hash`: SHA-256 of the definition, hexadecimal. */
  | Typed<"definition", { readonly agent: string; readonly hash: string }>
  /** An agent that was mentioned answers, in the dialog in which it was. `child`: its own dialog. The `message` beside it has the words. */
  | Typed<"reply", { readonly child: string }>
  /** What came of a fork arrives in the dialog that was forked. `from`: the fork. */
  | Typed<"resolved", { readonly from: string; readonly summary: string }>
  /** The user pauses a run, or one agent of it; and lets it continue. */
  | Typed<"pause", { readonly scope: "run" | "agent" }>
  | Typed<"resume", { readonly scope: "run" | "agent" }>
  /** A call launched another dialog. */
  | Typed<"spawn", { readonly call: string; readonly child: string }>
  /** The agent asks the user something. */
  | Typed<"waiting", { readonly for: "input"; readonly prompt: string }>
  /** `word`: `Authorized`, `Revoked`, `Network`, `Network refused` or `Limit`; `value`: what it names, as it stands. */
  | Typed<"authority", { readonly word: string; readonly value: string }>
  /** The dialog continues another one, from a summary. */
  | Typed<"window", { readonly from: string }>
  /** The dialog begins with the messages of another one. */
  | Typed<"forked", { readonly from: string }>
  /** Tokens of one response. `estimated`: its provider reported none. */
  | Typed<"usage", { readonly tokens: number | null; readonly cost: string | null; readonly estimated?: true }>
  /** The user edited the file: what it says from here on replaces what it said. */
  | Typed<"dialog_replaced", { readonly generation: number }>
  /** Someone or something ended a response before its end. `message`: the reason as it stands. */
  | Typed<"abort", { readonly message: string }>
  | Typed<"error", { readonly message: string }>
  /** `code`: which limit or guardrail of a run it was, such as `depth`; null: none of those. */
  | Typed<"warning", { readonly message: string; readonly code: string | null }>
  /** A response ended by itself, and nothing is left to do. */
  | Typed<"complete", { readonly tokens: number | null }>;

interface Typed<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data;
}
