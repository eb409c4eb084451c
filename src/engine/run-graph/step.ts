import type { LogEvent, Step, StepData } from "../../protocol/index.ts";
import { stateOfStop } from "../../protocol/graph/stop.ts";
import { isJsonObject } from "../../dialog/json.ts";
import { parseCost } from "../cost/lines.ts";
import { stepPath } from "./step-path.ts";

/** An event in the form for the graph and a replay. Null if it belongs to no agent. */
export function stepOf(event: LogEvent): Step | null {
  const { cursor, time, dialogId, anchor } = event;
  if (dialogId === null) return null;
  const place = anchor === null ? {} : { section: anchor.section, ...(anchor.part === undefined ? {} : { part: anchor.part }) };
  return { ...dataOf(event), cursor, time, dialogId, ...place };
}

/** Refused calls, file conflicts between agents, front matter problems and the first response without progress don't end the turn. */
function endsTurn({ anchor, data: { code, message } }: Extract<LogEvent, { type: "warning" }>): boolean {
  return anchor !== null && anchor.call === undefined && (code !== "progress" || message === "limit no progress");
}

const ended = (why: string): StepData => ({ what: "ends", state: stateOfStop(why), why });

/** The path that the user approved instead of the agent's. */
function approvedPath({ data: { tool, result } }: Extract<LogEvent, { type: "tool_result" }>): { readonly reads?: string | null } {
  const changed = isJsonObject(result) ? result["changedByUser"] : undefined;
  const path = isJsonObject(changed) ? changed["path"] : undefined;
  return tool === "vfs_read" && typeof path === "string" ? { reads: stepPath(path) } : {};
}

function dataOf(event: LogEvent): StepData {
  switch (event.type) {
    case "activation":
      return { what: "begins", title: event.data.title, agentId: event.agentId, parent: event.data.by ?? event.data.answers };
    case "forked":
    case "window":
      return { what: "follows", from: event.data.from };
    case "message":
      if (event.actor.kind === "vibey") return { what: "other" };
      return event.actor.kind === "agent" ? { what: "message", byAgent: true } : { what: "message" };
    case "signal":
      return event.data.to === "user" ? { what: "other" } : { what: "message", byAgent: true };
    case "request":
      return { what: "request" };
    case "tool_call": {
      const { call, tool, input } = event.data;
      const path = input["path"];
      return { what: "call", call, reads: tool === "vfs_read" && typeof path === "string" ? stepPath(path) : null };
    }
    case "approval":
      return { what: "decided", call: event.data.call, ...(event.data.decision === "denied" ? { denied: true } : {}) };
    case "tool_result":
      return { what: "result", call: event.data.call, ok: event.data.ok, ...approvedPath(event) };
    case "usage": {
      const { tokens, cost } = event.data;
      return { what: "usage", tokens, nanos: cost === null ? null : (parseCost(cost)?.nanos ?? null) };
    }
    case "file_change": {
      const path = stepPath(event.data.path);
      return path === null ? { what: "other" } : { what: "wrote", path, ...(event.data.op === "delete" ? { gone: true } : {}) };
    }
    case "waiting":
      return { what: "asks", why: event.data.prompt };
    case "complete":
      return { what: "ends", state: "completed", why: null };
    case "abort":
      return ended(event.data.message);
    case "warning":
      return endsTurn(event) ? ended(event.data.message) : { what: "other" };
    case "error":
      return { what: "ends", state: "error", why: event.data.message };
    case "pause":
    case "resume":
      return { what: "pause", scope: event.data.scope, paused: event.type === "pause" };
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
      return { what: "other" };
  }
}
