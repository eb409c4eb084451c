import type { Actor } from "../../fs/actor.ts";
import type { JsonObject, Json } from "../model.ts";
import type { ToolCategory } from "../outside.ts";

/**
 * Something that happened, according to a dialog's text. Events are never stored: `eventsOf` reads them from the dialog each time. An event's id is
 * its position, so the same text gives the same events.
 */
export type DialogEvent = EventData & {
  /**
   * `<dialogId>/<generation>/<place>.<type>`. The generation counts the `> Edited:` lines. The place is `h` for the header, `<section>` for the head
   * of a section, or `<section>.<part>`, counted from 0. A further `.<n>` distinguishes events of the same type and place.
   */
  readonly id: string;
  /** In ISO 8601. Empty if the text has no time at all. */
  readonly time: string;
  /** Whether the text gives the time of this event. If not, `time` is the last time before it. */
  readonly exact: boolean;
  readonly severity: Severity;
  readonly actor: Actor;
  readonly dialogId: string;
  /** The path of the file that defined the dialog's agent. Null if no file did. */
  readonly agentId: string | null;
  /** The section of the message that began the turn. */
  readonly turn: number;
  /** Where the event is. Null: in the header. */
  readonly anchor: Anchor | null;
};

export type Severity = "info" | "warning" | "error";

/** `section` and `part` are counted from 0. No `part`: in the section's head. */
export interface Anchor {
  readonly section: number;
  readonly part?: number;
  /** The id of the call. */
  readonly call?: string;
}

export type EventType = EventData["type"];

/** The data of each type of event. */
export type EventData =
  /**
   * The dialog begins. `by`: the dialog that launched it. Null if the user started it. `answers`: the dialog in which its agent was mentioned. Both
   * are ids.
   */
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
  /** The provider is asked. `answers`: the messages of other agents that began this turn, and the last one's sender. */
  | Typed<
      "request",
      {
        readonly provider: string | null;
        readonly model: string | null;
        readonly answers?: { readonly from: string; readonly text: string };
      }
    >
  /** The agent says something. The text is complete. */
  | Typed<"text", { readonly text: string }>
  /** The agent calls a tool. `category`, `context`: what the call does, according to an agent outside Vibey. */
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
  /** The call was decided. `from`: by the user, or by a line that allows it without asking. `edited`: the user approved other arguments. */
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
  /** `ms`: the duration in milliseconds. `code`: a command's exit code. Both are null if the result doesn't say. */
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
   * An agent sends a message to the agent that started it. The event is in the latter's dialog. `child`: the sender's dialog. `call`: the call that
   * sent it. `to`: the root of a run tells the user, in its own dialog.
   */
  | Typed<"signal", { readonly child: string; readonly call: string; readonly text: string; readonly to?: "user" }>
  /**
   * The file that defines the dialog's agent, as it was when the dialog began or as the agent was told later. `hash`: SHA-256 of the definition, in
   * hexadecimal.
   */
  | Typed<"definition", { readonly agent: string; readonly hash: string }>
  /**
   * A mentioned agent answers, in the dialog that mentioned it. `child`: the agent's own dialog. The `message` event next to this one has the text.
   */
  | Typed<"reply", { readonly child: string }>
  /** The result of a fork arrives in the original dialog. `from`: the fork. */
  | Typed<"resolved", { readonly from: string; readonly summary: string }>
  /** The user pauses or resumes a run or one of its agents. */
  | Typed<"pause", { readonly scope: "run" | "agent" }>
  | Typed<"resume", { readonly scope: "run" | "agent" }>
  /** A call launched another dialog. */
  | Typed<"spawn", { readonly call: string; readonly child: string }>
  /** The agent asks the user something. */
  | Typed<"waiting", { readonly for: "input"; readonly prompt: string }>
  /** `word`: `Authorized`, `Revoked`, `Network`, `Network refused` or `Limit`. `value`: the line's value, unchanged. */
  | Typed<"authority", { readonly word: string; readonly value: string }>
  /** The dialog continues another one, from a summary. */
  | Typed<"window", { readonly from: string }>
  /** The dialog begins with the messages of another one. */
  | Typed<"forked", { readonly from: string }>
  /** The tokens of one response. `estimated`: its provider reported none. */
  | Typed<"usage", { readonly tokens: number | null; readonly cost: string | null; readonly estimated?: true }>
  /** The user edited the file: from here on, the new content replaces the old. */
  | Typed<"dialog_replaced", { readonly generation: number }>
  /** A response was ended early. `message`: the reason as written. */
  | Typed<"abort", { readonly message: string }>
  | Typed<"error", { readonly message: string }>
  /** `code`: the limit or guardrail of a run, such as `depth`. Null if it was none of those. */
  | Typed<"warning", { readonly message: string; readonly code: string | null }>
  /** A response ended by itself, and nothing is left to do. */
  | Typed<"complete", { readonly tokens: number | null }>;

interface Typed<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data;
}
