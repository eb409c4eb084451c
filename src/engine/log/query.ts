import type { LogEvent, LogFilter } from "../../protocol/index.ts";
import { typeOfKey } from "./entry.ts";
import type { EventReader } from "./event-reader.ts";
import type { OpenLog, Position } from "./log.ts";

/** Positions that are read at once. */
const batch = 200;

/** The events of these positions that the filter wants, in the order of the positions. Ends when no one asks for the next. */
export async function* filtered(
  log: OpenLog,
  reader: EventReader,
  positions: Iterable<Position>,
  filter: LogFilter,
): AsyncGenerator<LogEvent> {
  let wanted: Position[] = [];
  for (const position of positions) {
    if (!mayMatch(position, filter)) continue;
    wanted.push(position);
    if (wanted.length < batch) continue;
    yield* matching(await reader.read(wanted, log.logId), filter);
    wanted = [];
  }
  yield* matching(await reader.read(wanted, log.logId), filter);
}

/** As far as can be said without a look at the text. */
function mayMatch(position: Position, { dialog, types, tool }: LogFilter): boolean {
  if (dialog !== undefined && "key" in position && position.dialogId !== dialog) return false;
  const type = "key" in position ? typeOfKey(position.key) : "commit";
  if (types !== undefined && !types.some((one) => one === type)) return false;
  return tool === undefined || type === "tool_call" || type === "approval" || type === "tool_result";
}

function* matching(events: readonly LogEvent[], { dialog, tool, severity, by }: LogFilter): Generator<LogEvent> {
  for (const event of events) {
    if (dialog !== undefined && event.dialogId !== dialog) continue;
    if (tool !== undefined && (!("tool" in event.data) || event.data.tool !== tool)) continue;
    if (severity !== undefined && event.severity !== severity) continue;
    if (by !== undefined && event.actor.kind !== by) continue;
    yield event;
  }
}

/** From the one before number `end` down to the first. */
export function* backwards(positions: readonly Position[], end: number): Generator<Position> {
  for (let at = end - 1; at >= 0; at--) {
    const position = positions[at];
    if (position) yield position;
  }
}
