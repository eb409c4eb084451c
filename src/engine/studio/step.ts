import type { LogEvent, Step, StepData } from "../../protocol/index.ts";
import { parsePath } from "../../fs/path.ts";
import { parseCost } from "../cost/lines.ts";

/** An event as the graph and a replay want it; null: it is no agent's. */
export function stepOf(event: LogEvent): Step | null {
  const { cursor, time, dialogId, anchor } = event;
  if (dialogId === null) return null;
  const place = anchor === null ? {} : { section: anchor.section, ...(anchor.part === undefined ? {} : { part: anchor.part }) };
  return { ...dataOf(event), cursor, time, dialogId, ...place };
}

/** As the history names the file. */
function normal(path: string): string {
  const parsed = parsePath(path);
  return parsed.ok ? parsed.path : path;
}

/** A guardrail that refuses a call, or a file that two agents work with, ends nothing; neither does the first response without progress. */
function endsTurn({ anchor, data: { code, message } }: Extract<LogEvent, { type: "warning" }>): boolean {
  return anchor?.call === undefined && (code !== "progress" || message === "limit no progress");
}

function dataOf(event: LogEvent): StepData {
  switch (event.type) {
    case "activation":
      return { what: "begins", title: event.data.title, agentId: event.agentId, parent: event.data.by ?? event.data.answers };
    case "forked":
    case "window":
      return { what: "follows", from: event.data.from };
    case "message":
      return event.actor.kind === "vibey" ? { what: "other" } : { what: "message" };
    case "signal":
      return { what: "message" };
    case "request":
      return { what: "request" };
    case "tool_call": {
      const { call, tool, input } = event.data;
      const path = input["path"];
      return { what: "call", call, reads: tool === "vfs_read" && typeof path === "string" ? normal(path) : null };
    }
    case "approval":
      return { what: "decided", call: event.data.call };
    case "tool_result":
      return { what: "result", call: event.data.call, ok: event.data.ok };
    case "usage": {
      const { tokens, cost } = event.data;
      return { what: "usage", tokens, nanos: cost === null ? null : (parseCost(cost)?.nanos ?? null) };
    }
    case "file_change":
      return { what: "wrote", path: normal(event.data.path) };
    case "waiting":
      return { what: "asks" };
    case "complete":
      return { what: "ends", state: "completed" };
    case "abort":
      return { what: "ends", state: event.data.message === "interrupted" ? "paused" : "aborted" };
    case "warning":
      return endsTurn(event) ? { what: "ends", state: "paused" } : { what: "other" };
    case "error":
      return { what: "ends", state: "error" };
    case "commit":
      return { what: "turn", commit: event.data.commit, paths: event.data.changes.map(({ path }) => path) };
    case "text":
      return { what: "text" };
    case "spawn":
    case "authority":
    case "definition":
    case "reply":
    case "resolved":
    case "dialog_replaced":
    case "pause":
    case "resume":
      return { what: "other" };
  }
}
