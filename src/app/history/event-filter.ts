/** Which events show: converts between the address, the engine's filter, and the lists to choose from. */
import type { Severity } from "../../dialog/events/model.ts";
import type { LogEvent, LogEventType, LogFilter } from "../../protocol/index.ts";
import type { EventsOf } from "../model/route.ts";
import * as t from "../texts/events.ts";

/** All event types, in the groups in which people look for them. */
export const kindGroups: readonly { readonly title: string; readonly types: readonly LogEventType[] }[] = [
  { title: t.groups.conversation, types: ["message", "reply", "resolved", "signal", "text", "waiting"] },
  { title: t.groups.tools, types: ["tool_call", "approval", "tool_result", "spawn"] },
  { title: t.groups.files, types: ["commit", "file_change"] },
  { title: t.groups.dialogs, types: ["activation", "definition", "window", "forked", "dialog_replaced", "authority", "pause", "resume"] },
  { title: t.groups.responses, types: ["request", "complete", "usage", "abort", "warning", "error"] },
];
export const severities: readonly Severity[] = ["info", "warning", "error"];

/** The filter in the address. An unknown type or severity is ignored. */
export function filterOf({ dialog, type, tool, severity }: EventsOf): LogFilter {
  const known = kindGroups.flatMap(({ types }) => types).find((one) => one === type);
  const level = severities.find((one) => one === severity);
  return {
    ...(dialog === undefined ? {} : { dialog }),
    ...(known === undefined ? {} : { types: [known] }),
    ...(tool === undefined ? {} : { tool }),
    ...(level === undefined ? {} : { severity: level }),
  };
}

export const excludesNothing = (filter: LogFilter) => Object.keys(filter).length === 0;

/** Whether the engine would include this event; for events that arrive while the list is shown. */
export function matchesFilter(event: LogEvent, { dialog, types, tool, severity, by }: LogFilter): boolean {
  return (
    (dialog === undefined || event.dialogId === dialog) &&
    (types === undefined || types.includes(event.type)) &&
    (tool === undefined || toolOf(event) === tool) &&
    (severity === undefined || event.severity === severity) &&
    (by === undefined || (event.actor.kind === "outside" ? "agent" : event.actor.kind) === by)
  );
}

/** The tool that an event is about; null: none. */
export const toolOf = ({ data }: LogEvent): string | null => ("tool" in data ? data.tool : null);
