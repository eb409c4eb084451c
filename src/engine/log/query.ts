import type { EventType, Severity } from "../../dialog/events/model.ts";
import type { LogEvent, LogFilter } from "../../protocol/index.ts";
import { typeOfKey } from "./entry.ts";
import type { EventReader } from "./event-reader.ts";
import type { OpenLog, Position } from "./log.ts";

/** Positions that are read at once. */
const batch = 200;

/** The severities that events of a type can have. Events of missing types are always `info`. */
const severities: Readonly<Partial<Record<EventType, readonly Severity[]>>> = {
  tool_result: ["info", "warning"],
  abort: ["info", "warning"],
  dialog_replaced: ["warning"],
  warning: ["warning"],
  error: ["error"],
};
const severitiesOf: ReadonlyMap<string, readonly Severity[]> = new Map(Object.entries(severities));
const usual: readonly Severity[] = ["info"];

/** The events of these positions that match the filter, in order. Stops reading once `left` is aborted. */
export async function* filtered(
  log: OpenLog,
  reader: EventReader,
  positions: Iterable<Position>,
  filter: LogFilter,
  left: AbortSignal,
): AsyncGenerator<LogEvent> {
  let wanted: Position[] = [];
  for (const position of positions) {
    if (!mayMatch(position, filter)) continue;
    wanted.push(position);
    if (wanted.length < batch) continue;
    yield* matching(await reader.read(wanted, log.logId), filter);
    if (left.aborted) return;
    wanted = [];
  }
  yield* matching(await reader.read(wanted, log.logId), filter);
}

/** Whether an event may match, without reading its text. */
function mayMatch(position: Position, { dialog, types, tool, severity }: LogFilter): boolean {
  if (dialog !== undefined && "key" in position && position.dialogId !== dialog) return false;
  const type = "key" in position ? typeOfKey(position.key) : "commit";
  if (types !== undefined && !types.some((one) => one === type)) return false;
  if (severity !== undefined && !(severitiesOf.get(type) ?? usual).includes(severity)) return false;
  return tool === undefined || type === "tool_call" || type === "approval" || type === "tool_result";
}

function* matching(events: readonly LogEvent[], { dialog, tool, severity, by }: LogFilter): Generator<LogEvent> {
  for (const event of events) {
    if (dialog !== undefined && event.dialogId !== dialog) continue;
    if (tool !== undefined && (!("tool" in event.data) || event.data.tool !== tool)) continue;
    if (severity !== undefined && event.severity !== severity) continue;
    if (by !== undefined && (event.actor.kind === "outside" ? "agent" : event.actor.kind) !== by) continue;
    yield event;
  }
}

/** The positions before index `end`, down to index `start`. */
export function* backwards(positions: readonly Position[], end: number, start = 0): Generator<Position> {
  for (let at = end - 1; at >= start; at--) {
    const position = positions[at];
    if (position) yield position;
  }
}
