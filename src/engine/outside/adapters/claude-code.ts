import type { ToolCategory } from "../../../dialog/outside.ts";
import { objectIn, type Raw } from "../event.ts";
import { contextOf, type EventAdapter, firstText, guessCategory } from "./adapter.ts";

const categories: ReadonlyMap<string, ToolCategory> = new Map<string, ToolCategory>([
  ["Read", "read"],
  ["NotebookRead", "read"],
  ["BashOutput", "read"],
  ["ReadMcpResourceTool", "read"],
  ["Write", "write"],
  ["Edit", "edit"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["Bash", "execute"],
  ["KillBash", "execute"],
  ["KillShell", "execute"],
  ["SlashCommand", "execute"],
  ["Skill", "execute"],
  ["Grep", "search"],
  ["Glob", "search"],
  ["LS", "search"],
  ["WebFetch", "network"],
  ["WebSearch", "network"],
  ["Task", "delegate"],
  ["Agent", "delegate"],
  ["TodoWrite", "plan"],
  ["TodoRead", "plan"],
  ["ExitPlanMode", "plan"],
  ["EnterPlanMode", "plan"],
  ["TaskCreate", "plan"],
  ["TaskUpdate", "plan"],
  ["AskUserQuestion", "interact"],
]);

/** Names of Claude Code's hooks, and of the events that hook scripts make from them. */
const types: ReadonlyMap<string, string> = new Map([
  ["pre_tool_use", "tool_start"],
  ["PreToolUse", "tool_start"],
  ["post_tool_use", "tool_end"],
  ["PostToolUse", "tool_end"],
  ["PostToolUseFailure", "tool_end"],
  ["stop", "agent_idle"],
  ["Stop", "agent_idle"],
  ["StopFailure", "agent_idle"],
  ["subagent_stop", "subagent_end"],
  ["SubagentStop", "subagent_end"],
  ["session_start", "agent_start"],
  ["SessionStart", "agent_start"],
  ["session_end", "agent_end"],
  ["SessionEnd", "agent_end"],
  ["user_prompt_submit", "user_input"],
  ["UserPromptSubmit", "user_input"],
  ["notification", "notification"],
  ["Notification", "notification"],
  ["pre_compact", "notification"],
  ["PreCompact", "notification"],
]);

export const claudeCode: EventAdapter = {
  name: "claude-code",
  canHandle: (raw) => typeOf(raw) !== null && firstText(raw, "session_id", "sessionId") !== undefined,
  categorize: (name) => categories.get(name) ?? (name.startsWith("mcp__") ? guessCategory(name.slice("mcp__".length)) : "other"),
  normalize: (raw) => normalizeHook(raw, claudeCode),
};

/** Converts a hook of Claude Code, or of another program whose hooks have the same form. */
export function normalizeHook(raw: Raw, { name: source, categorize }: Pick<EventAdapter, "name" | "categorize">): Raw | null {
  const type = typeOf(raw);
  const agentId = firstText(raw, "session_id", "sessionId");
  if (type === null || agentId === undefined) return null;
  const base = { id: raw["id"], timestamp: raw["timestamp"], agentId, source, cwd: raw["cwd"], type, ...metadataOf(raw) };
  switch (type) {
    case "tool_start":
    case "tool_end":
      return toolEvent(raw, base, categorize);
    case "user_input": {
      const text = firstText(raw, "prompt", "text");
      // Claude Code also sends its own messages to the model as prompts, for example when a background task has ended.
      return text?.startsWith("<task-notification>") === true ? { ...base, type: "agent_thinking" } : { ...base, text };
    }
    case "agent_idle":
      return {
        ...base,
        reason: firstText(raw, "reason", "error", "error_type"),
        response: firstText(raw, "last_assistant_message", "response", "assistantText"),
      };
    case "agent_start":
      return { ...base, trigger: firstText(raw, "source", "trigger") };
    case "agent_end":
      return { ...base, reason: raw["reason"] };
    case "subagent_end":
      return { ...base, toolUseId: firstText(raw, "tool_use_id", "toolUseId", "agent_id") };
    default:
      if (raw["notification_type"] === "idle_prompt") return { ...base, type: "agent_idle" };
      return { ...base, message: firstText(raw, "message") ?? "compacts its context", level: raw["level"] };
  }
}

/** Fields that viewers of such hooks know and the universal protocol doesn't have. */
function metadataOf(raw: Raw): Raw {
  const isCompact = ["pre_compact", "PreCompact"].includes(firstText(raw, "hook_event_name", "type") ?? "");
  const active = raw["stop_hook_active"] ?? raw["stopHookActive"];
  const [kind, manual, wanted] = [
    firstText(raw, "notification_type", "notificationType"),
    firstText(raw, "trigger"),
    firstText(raw, "custom_instructions", "customInstructions"),
  ];
  const metadata = {
    ...objectIn(raw, "metadata"),
    ...(isCompact ? { hook: "pre_compact" } : {}),
    ...(kind === undefined ? {} : { notificationType: kind }),
    ...(typeof active === "boolean" ? { stopHookActive: active } : {}),
    ...(isCompact && manual !== undefined ? { trigger: manual } : {}),
    ...(isCompact && wanted !== undefined ? { customInstructions: wanted.slice(0, 200) } : {}),
  };
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}

function toolEvent(raw: Raw, base: Raw, categorize: EventAdapter["categorize"]): Raw | null {
  const name = firstText(raw, "tool_name", "tool");
  if (name === undefined) return null;
  const input = objectIn(raw, "tool_input") ?? objectIn(raw, "toolInput");
  const use = firstText(raw, "tool_use_id", "toolUseId");
  const tool = { name, category: categorize(name), ...(use === undefined ? {} : { id: use }) };
  const event = { ...base, tool, input, context: contextOf(input) };
  if (base["type"] === "tool_start") {
    if (categorize(name) !== "delegate") return event;
    const child = { ...base, id: undefined, type: "subagent_spawn", parentAgentId: base["agentId"], toolUseId: use };
    return { ...event, _alsoEmit: [child] };
  }
  const output = raw["tool_response"] ?? raw["toolResponse"] ?? raw["tool_result"];
  const error = firstText(raw, "error");
  const success =
    typeof raw["success"] === "boolean" ? raw["success"] : raw["hook_event_name"] !== "PostToolUseFailure" && error === undefined;
  return { ...event, success, output, error, duration: raw["duration_ms"] ?? raw["duration"] };
}

function typeOf(raw: Raw): string | null {
  return types.get(firstText(raw, "hook_event_name", "type") ?? "") ?? null;
}
