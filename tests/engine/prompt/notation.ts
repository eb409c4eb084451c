import type { ClaudeMessage } from "../../../src/engine/prompt/claude.ts";
import type { Call, Dialog, Json, JsonObject, Part, Section } from "../../../src/dialog/model.ts";

/** A dialog in short notation: `dialog(user("hi"), assistant("hello", ran("a", "ok")))`. */
export function dialog(...sections: Section[]): Dialog {
  return { format: 1, head: [{ key: "Provider", value: "claude" }], parts: [], sections };
}

export function user(...parts: (string | Part)[]): Section {
  return { role: "user", head: [{ key: "Time", value: "2026-11-21T20:11:00.000Z" }], parts: parts.map(part) };
}

export function assistant(...parts: (string | Part)[]): Section {
  return { role: "assistant", head: [{ key: "Time", value: "2026-11-21T20:11:00.000Z - " }], parts: parts.map(part) };
}

export function meta(key: string, value: string): Part {
  return { kind: "meta", lines: [{ key, value }] };
}

export function call(id: string, more: Partial<Call> = {}): Part {
  return { kind: "call", call: { id, name: "run_command", input: {}, decision: null, started: null, result: undefined, ...more } };
}

export function ran(id: string, result: Json, input: JsonObject = {}): Part {
  return call(id, { input, decision: "approved", started: "2026-11-21T20:11:01.000Z", result });
}

function part(given: string | Part): Part {
  return typeof given === "string" ? { kind: "text", text: given } : given;
}

/** Messages as lines: `user: "hi"`, `assistant: "let me see" + run_command[a]{}`, `user: a = ok + b ! failed`. */
export function show(messages: readonly ClaudeMessage[]): string[] {
  return messages.map(({ role, content }) => {
    const blocks = content.map((block) => {
      if (block.type === "text") return JSON.stringify(block.text);
      if (block.type === "tool_use") return `${block.name}[${block.id}]${JSON.stringify(block.input)}`;
      if (block.type === "tool_result")
        return `${block.tool_use_id} ${block.is_error ? "!" : "="} ${typeof block.content === "string" ? block.content : ""}`;
      throw new Error(`no notation for ${block.type}`);
    });
    return `${role}: ${blocks.join(" + ")}`;
  });
}
