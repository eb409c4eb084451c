import type { ToolCategory } from "../../../dialog/outside.ts";
import { objectIn, type Raw } from "../event.ts";
import { contextOf, type EventAdapter, firstText, guessCategory } from "./adapter.ts";

const categories: ReadonlyMap<string, ToolCategory> = new Map<string, ToolCategory>([
  ["read", "read"],
  ["write", "write"],
  ["edit", "edit"],
  ["patch", "edit"],
  ["bash", "execute"],
  ["grep", "search"],
  ["glob", "search"],
  ["list", "search"],
  ["webfetch", "network"],
  ["websearch", "network"],
  ["task", "delegate"],
  ["todowrite", "plan"],
  ["todoread", "plan"],
  ["question", "interact"],
]);

const types: ReadonlyMap<string, string> = new Map([
  ["tool.execute.before", "tool_start"],
  ["tool.execute.after", "tool_end"],
  ["session.created", "agent_start"],
  ["session.idle", "agent_idle"],
  ["session.deleted", "agent_end"],
  ["session.error", "notification"],
  ["message.user", "user_input"],
]);

/** opencode: the events `{type, properties}` that its plug-in posts. */
export const opencode: EventAdapter = {
  name: "opencode",
  canHandle: (raw) => types.has(firstText(raw, "type") ?? "") && objectIn(raw, "properties") !== undefined,
  categorize: (name) => categories.get(name) ?? guessCategory(name),
  normalize(raw) {
    const type = types.get(firstText(raw, "type") ?? "");
    const properties: Raw = objectIn(raw, "properties") ?? {};
    const agentId = firstText(properties, "sessionID", "sessionId") ?? firstText(objectIn(properties, "info") ?? {}, "id");
    if (type === undefined || agentId === undefined) return null;
    const base = { id: raw["id"], timestamp: raw["timestamp"], agentId, source: opencode.name, cwd: properties["cwd"] ?? raw["cwd"], type };
    const parent = firstText(objectIn(properties, "info") ?? {}, "parentID");
    if (type === "agent_start" && parent !== undefined) return { ...base, type: "subagent_spawn", parentAgentId: parent };
    if (type === "user_input") return { ...base, text: firstText(properties, "text") };
    if (type === "notification") return { ...base, level: "error", message: firstText(properties, "message", "error") ?? "an error" };
    const name = firstText(properties, "tool");
    if (!type.startsWith("tool_")) return { ...base, response: firstText(properties, "response") };
    if (name === undefined) return null;
    const input = objectIn(properties, "args");
    const tool = { name, category: opencode.categorize(name), id: firstText(properties, "callID") };
    const event = { ...base, tool, input, context: contextOf(input) };
    const error = firstText(properties, "error");
    return type === "tool_start" ? event : { ...event, success: error === undefined, error, output: properties["output"] };
  },
};
