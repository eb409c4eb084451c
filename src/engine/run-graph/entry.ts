import type { JsonObject } from "../../dialog/model.ts";
import { inputHash } from "../agents/input-hash.ts";
import type { LogEvent, RunLogEntry, RunLogRow, RunLogType } from "../../protocol/index.ts";

/**
 * The entry of an event in the log of agents. Null if it has none. The first message and each message of the user begin an activation. A message of
 * another agent is a signal, and the request that answers one or more of them begins the activation. The header has no entry, because it says the
 * same as the first message.
 */
export function entryOf(event: LogEvent): RunLogRow | null {
  const { id, cursor, dialogId, anchor, severity } = event;
  const told = dialogId === null ? null : dataOf(event);
  if (dialogId === null || told === null) return null;
  const [type, data] = told;
  const place = anchor === null ? {} : { section: anchor.section, ...(anchor.part === undefined ? {} : { part: anchor.part }) };
  const isDialogs = event.type !== "commit";
  return {
    timestamp: Date.parse(event.time) || 0,
    type,
    agentId: (isDialogs ? event.agentId : null) ?? dialogId,
    activationId: `${dialogId}/${isDialogs ? event.turn : 0}`,
    data,
    id,
    cursor,
    severity: type === "warning" && severity === "info" ? "warning" : severity,
    dialogId,
    ...place,
  };
}

/** An entry in the form of the export. */
export const exported = ({ timestamp, type, agentId, activationId, data }: RunLogEntry): RunLogEntry => ({
  timestamp,
  type,
  agentId,
  activationId,
  data,
});

type Told = readonly [RunLogType, JsonObject];

function dataOf(event: LogEvent): Told | null {
  switch (event.type) {
    case "message": {
      const { actor, data } = event;
      if (actor.kind === "vibey") return null;
      const from = actor.kind === "agent" ? actor.dialogId : null;
      const activation: Told = ["activation", { input: data.text, hash: inputHash(data.text), from }];
      const isFirst = event.anchor === null || event.anchor.section === 0;
      return from === null || isFirst ? activation : ["signal", { from, message: data.text }];
    }
    case "signal": {
      const { child, text, to } = event.data;
      return ["signal", { from: child, message: text, ...(to === undefined ? {} : { to }) }];
    }
    case "request": {
      const { answers } = event.data;
      return answers === undefined ? null : ["activation", { input: answers.text, hash: inputHash(answers.text), from: answers.from }];
    }
    // The first definition is the agent's from the beginning.
    case "definition":
      return event.anchor === null ? null : ["warning", { code: "definition", hash: event.data.hash }];
    case "window":
      return ["warning", { code: "window", from: event.data.from }];
    case "waiting":
      return ["warning", { code: "waiting", message: event.data.prompt }];
    case "approval": {
      const { call, tool, decision } = event.data;
      return decision === "denied" ? ["warning", { code: "denied", call, tool }] : null;
    }
    case "pause":
      return ["warning", { code: "paused", scope: event.data.scope }];
    case "resume":
      return ["warning", { code: "resumed", scope: event.data.scope }];
    case "commit": {
      const { commit, summary, files, changes } = event.data;
      return ["file_change", { commit, summary, files, changes: changes.map(({ path, change }) => ({ path, change })), turn: true }];
    }
    case "tool_call":
    case "tool_result":
    case "file_change":
    case "spawn":
    case "warning":
    case "error":
    case "abort":
    case "complete":
      return [event.type, event.data];
    case "activation":
    case "text":
    case "authority":
    case "forked":
    case "reply":
    case "resolved":
    case "usage":
    case "dialog_replaced":
      return null;
  }
}
