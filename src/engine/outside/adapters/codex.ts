import type { ToolCategory } from "../../../dialog/outside.ts";
import { type EventAdapter, firstText, guessCategory } from "./adapter.ts";
import { normalizeHook } from "./claude-code.ts";

const categories: ReadonlyMap<string, ToolCategory> = new Map<string, ToolCategory>([
  ["Bash", "execute"],
  ["shell", "execute"],
  ["exec_command", "execute"],
  ["local_shell", "execute"],
  ["apply_patch", "edit"],
  ["read_file", "read"],
  ["view_image", "read"],
  ["list_dir", "search"],
  ["grep_files", "search"],
  ["web_search", "network"],
  ["update_plan", "plan"],
  ["spawn_agent", "delegate"],
  ["request_user_input", "interact"],
]);

/** Codex. Its hooks have the form of Claude Code's, and its `notify` program is called at the end of each turn. */
export const codex: EventAdapter = {
  name: "codex",
  canHandle: (raw) => raw["type"] === "agent-turn-complete" || raw["framework"] === "codex" || raw["source"] === "codex",
  categorize: (name) => categories.get(name) ?? guessCategory(name),
  normalize(raw) {
    if (raw["type"] !== "agent-turn-complete") return normalizeHook(raw, codex);
    const agentId = firstText(raw, "thread-id", "thread_id", "turn-id");
    const response = firstText(raw, "last-assistant-message", "last_assistant_message");
    return agentId === undefined ? null : { type: "agent_idle", agentId, source: codex.name, cwd: raw["cwd"], response };
  },
};
