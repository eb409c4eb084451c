import type { ToolCategory } from "../../../dialog/outside.ts";
import { objectIn } from "../event.ts";
import { contextOf, type EventAdapter, firstText, guessCategory } from "./adapter.ts";

const categories: ReadonlyMap<string, ToolCategory> = new Map<string, ToolCategory>([
  ["bash", "execute"],
  ["read_file", "read"],
  ["write_file", "write"],
  ["search_replace", "edit"],
  ["grep", "search"],
  ["todo", "plan"],
  ["task", "delegate"],
  ["ask_user_question", "interact"],
]);

const types: ReadonlyMap<string, string> = new Map([
  ["tool_call", "tool_start"],
  ["tool_result", "tool_end"],
  ["user_message", "user_input"],
  ["assistant", "agent_idle"],
  ["reasoning", "agent_thinking"],
]);

/** Mistral Vibe: the events of its session stream, which contain the session's id. */
export const vibe: EventAdapter = {
  name: "vibe",
  canHandle: (raw) => types.has(firstText(raw, "type") ?? "") && firstText(raw, "session_id") !== undefined,
  categorize: (name) => categories.get(name) ?? guessCategory(name),
  normalize(raw) {
    const type = types.get(firstText(raw, "type") ?? "");
    const agentId = firstText(raw, "session_id");
    if (type === undefined || agentId === undefined) return null;
    const base = { id: raw["id"], timestamp: raw["timestamp"], agentId, source: vibe.name, cwd: raw["cwd"], type };
    if (type === "agent_thinking") return base;
    if (type === "user_input") return { ...base, text: firstText(raw, "content", "text") };
    // A text before a tool call is not the end of the turn.
    if (type === "agent_idle")
      return { ...base, type: raw["continues"] === true ? "agent_thinking" : type, response: firstText(raw, "content", "text") };
    const name = firstText(raw, "tool_name", "name");
    if (name === undefined) return null;
    const input = objectIn(raw, "args") ?? objectIn(raw, "arguments");
    const tool = { name, category: vibe.categorize(name), id: firstText(raw, "tool_call_id", "call_id") };
    const error = firstText(raw, "error");
    const event = { ...base, tool, input, context: contextOf(input) };
    // Its durations are in seconds.
    const duration = typeof raw["duration"] === "number" ? raw["duration"] * 1000 : undefined;
    return type === "tool_start"
      ? event
      : { ...event, success: error === undefined && raw["skipped"] !== true, error, duration, output: raw["result"] };
  },
};
