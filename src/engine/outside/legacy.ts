import type { JsonObject, Json } from "../../dialog/model.ts";
import { eventsOf } from "../../dialog/events/events-of.ts";
import type { DialogEvent } from "../../dialog/events/model.ts";
import { sectionCount } from "../../dialog/sections.ts";
import type { LegacyFrame, LegacySession, OutsideEvent, Status } from "../../protocol/index.ts";
import type { DialogFile } from "../dialogs/open.ts";
import { isAsked, isLost, lastCalls } from "../turn/machine/queries.ts";
import type { FoundRecord } from "./find-records.ts";

/** What viewers of earlier Vibecraft are told: the events of records in the form of Claude Code's hooks. */

/** Events of a history. */
const history = 50;

type Types = Readonly<Partial<Record<OutsideEvent["type"], string>>>;
const types: Types = {
  tool_start: "pre_tool_use",
  tool_end: "post_tool_use",
  agent_idle: "stop",
  agent_start: "session_start",
  agent_end: "session_end",
  user_input: "user_prompt_submit",
  notification: "notification",
  subagent_end: "subagent_stop",
};

/** An event as it comes in. What the old form has no name for keeps its own. */
export function legacyEvent(event: OutsideEvent): JsonObject {
  const { id, timestamp, type, agentId, source, cwd, tool } = event;
  return {
    id,
    timestamp,
    type: types[type] ?? type,
    sessionId: agentId,
    source,
    ...given("cwd", cwd),
    ...(tool ? { tool: tool.name, toolUseId: tool.id, category: tool.category } : {}),
    ...given("toolInput", type === "tool_start" ? (event.input ?? {}) : undefined),
    ...given("toolResponse", type === "tool_end" ? asJson(event.output) : undefined),
    ...given("success", event.success),
    ...given("duration", event.duration),
    ...given("context", event.context),
    ...given("prompt", event.text),
    ...given("message", event.message),
    ...given("response", event.response),
    ...given("reason", event.reason),
    ...given("parentAgentId", event.parentAgentId),
    ...(type !== "tool_start" && type !== "tool_end" ? given("toolUseId", event.toolUseId) : {}),
  };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse made is JSON
const asJson = (value: unknown): Json | undefined => value as Json | undefined;
const given = (name: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [name]: value });

/** The last events of these records, oldest first, as their texts say them. */
export function legacyHistory(records: readonly FoundRecord[]): JsonObject[] {
  const found = records.flatMap(({ dialogId, agent, dialog }) => {
    // No section has fewer than one event.
    const from = Math.max(0, sectionCount(dialog) - history);
    return eventsOf(dialog, dialogId, from).flatMap((event) => {
      const told = legacyOf(event, agent.session, agent.framework);
      return told === null ? [] : [told];
    });
  });
  return found.toSorted((one, other) => Number(one["timestamp"]) - Number(other["timestamp"])).slice(-history);
}

function legacyOf(event: DialogEvent, sessionId: string, source: string): JsonObject | null {
  const base = { id: event.id, timestamp: Date.parse(event.time) || 0, sessionId, source };
  switch (event.type) {
    case "activation":
      return { ...base, type: "session_start" };
    case "tool_call":
      return { ...base, type: "pre_tool_use", tool: event.data.tool, toolUseId: event.data.call, toolInput: event.data.input };
    case "tool_result": {
      const { tool, call, ok, result, ms } = event.data;
      return {
        ...base,
        type: "post_tool_use",
        tool,
        toolUseId: call,
        success: ok,
        toolResponse: result,
        ...given("duration", ms ?? undefined),
      };
    }
    case "message":
      return { ...base, type: "user_prompt_submit", prompt: event.data.text };
    case "waiting":
      return { ...base, type: "stop" };
    case "complete":
      return { ...base, type: "session_end" };
    case "warning":
    case "error":
      return { ...base, type: "notification", message: event.data.message };
    case "spawn":
      return { ...base, type: "subagent_spawn", toolUseId: event.data.call };
    default:
      return null;
  }
}

/** The records as sessions. */
export function legacySessions(records: readonly FoundRecord[], files: readonly DialogFile[]): LegacySession[] {
  const byId = new Map(files.map((file) => [file.dialogId, file]));
  return records.flatMap(({ dialogId, agent, dialog }) => {
    const file = byId.get(dialogId);
    if (!file) return [];
    const calls = lastCalls(dialog);
    return [
      {
        id: agent.session,
        name: agent.name ?? agent.framework,
        type: "external",
        status: statusOf(file.status, calls.some(isAsked)),
        framework: agent.framework,
        cwd: agent.cwd,
        lastActivity: file.mtime,
        currentTool: calls.findLast(isLost)?.name ?? null,
      },
    ];
  });
}

const statusOf = (status: Status, asks: boolean): LegacySession["status"] =>
  status === "active" ? "working" : status === "done" ? "offline" : asks ? "waiting" : "idle";

/** How often each tool was used, and how long it took on the average, in milliseconds. */
export function legacyStats(records: readonly FoundRecord[]): JsonObject {
  const counts = new Map<string, number>();
  const took = new Map<string, { sum: number; count: number }>();
  let total = 0;
  for (const { dialogId, dialog } of records)
    for (const event of eventsOf(dialog, dialogId)) {
      total += 1;
      if (event.type === "tool_call") counts.set(event.data.tool, (counts.get(event.data.tool) ?? 0) + 1);
      if (event.type !== "tool_result" || event.data.ms === null) continue;
      const before = took.get(event.data.tool) ?? { sum: 0, count: 0 };
      took.set(event.data.tool, { sum: before.sum + event.data.ms, count: before.count + 1 });
    }
  const avgDurations = Object.fromEntries([...took].map(([tool, { sum, count }]) => [tool, Math.round(sum / count)]));
  return { totalEvents: total, toolCounts: Object.fromEntries(counts), avgDurations };
}

/** What a viewer who says this is answered; null: nothing. `records`: null: they were read too often. */
export async function legacyReply(
  message: unknown,
  records: () => Promise<readonly FoundRecord[] | null>,
): Promise<LegacyFrame | "too-fast" | null> {
  const type = typeof message === "object" && message !== null && "type" in message ? message.type : null;
  if (type === "ping") return { type: "pong" };
  if (type !== "get_history") return null;
  const read = await records();
  return read === null ? "too-fast" : { type: "history", payload: legacyHistory(read) };
}
