import type { JsonObject, Json } from "../../dialog/model.ts";
import { eventsOf } from "../../dialog/events/events-of.ts";
import type { LegacyFrame, LegacySession, OutsideEvent, Status } from "../../protocol/index.ts";
import type { DialogFile } from "../dialogs/open.ts";
import { isAsked, isLost, lastCalls } from "../turn/machine/queries.ts";
import type { FoundRecord } from "./find-records.ts";
import { dataFields, history, historyOf } from "./legacy-history.ts";

/* For viewers of earlier Vibecraft: the events of records in the form of Claude Code's hooks. */

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

/** An incoming event in the old form. Types that the old form doesn't have keep their names. */
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
    ...given("toolInput", type === "tool_start" ? (event.input ?? {}) : event.input),
    ...given("toolResponse", type === "tool_end" ? asJson(event.output) : undefined),
    ...given("success", event.success),
    ...given("error", event.error),
    ...given("duration", event.duration),
    ...given("context", event.context),
    ...given("prompt", event.text),
    ...given("message", event.message),
    ...given("level", event.level),
    ...given("response", event.response),
    ...given("reason", event.reason),
    ...given("trigger", event.trigger),
    ...given("parentAgentId", event.parentAgentId),
    ...(type !== "tool_start" && type !== "tool_end" ? given("toolUseId", event.toolUseId) : {}),
    ...dataFields(event.metadata),
  };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result of JSON.parse is JSON
const asJson = (value: unknown): Json | undefined => value as Json | undefined;
const given = (name: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [name]: value });

/** The last events of these records, oldest first, read from their texts. */
export function legacyHistory(records: readonly FoundRecord[]): JsonObject[] {
  const found = records.flatMap(historyOf);
  return found.toSorted((one, other) => Number(one["timestamp"]) - Number(other["timestamp"])).slice(-history);
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

/** How often each tool was used, and its average duration in milliseconds. */
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

/** The answer to a viewer's message. Null: no answer. `records` returns null if they were read too often. */
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
