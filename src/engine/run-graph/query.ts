import type { LogEvent, LogEventType, LogFrame, RunLogFilter, RunLogFrame, RunLogRow, RunLogType } from "../../protocol/index.ts";
import type { EventReader } from "../log/event-reader.ts";
import type { OpenLog, Position } from "../log/log.ts";
import { filtered } from "../log/query.ts";
import { entryOf } from "./entry.ts";

/** The events from which entries of each type are made. */
const sources: Readonly<Record<RunLogType, readonly LogEventType[]>> = {
  activation: ["message", "request"],
  tool_call: ["tool_call"],
  tool_result: ["tool_result"],
  file_change: ["file_change", "commit"],
  spawn: ["spawn"],
  signal: ["message", "signal"],
  warning: ["warning", "definition", "waiting", "window", "approval", "pause", "resume"],
  error: ["error"],
  abort: ["abort"],
  complete: ["complete"],
};
const isType = (word: string): word is RunLogType => Object.hasOwn(sources, word);
const runLogTypes = Object.keys(sources).filter(isType);
/** The types of entries that can have a severity. */
const severe = { info: runLogTypes, warning: ["tool_result", "warning", "abort"], error: ["error"] } as const;
const isSeverity = (word: string): word is keyof typeof severe => Object.hasOwn(severe, word);

export type FilterQuery = { readonly ok: true; readonly filter: RunLogFilter } | { readonly ok: false; readonly why: string };

export function readFilter(params: URLSearchParams): FilterQuery {
  const said = (name: string): string | undefined => params.get(name) || undefined;
  const [run, agent, tool, severity] = ["run", "agent", "tool", "severity"].map(said);
  const types = said("type")?.split(",");
  if (types?.every(isType) === false) return { ok: false, why: `type: expected ${runLogTypes.join(", ")}` };
  if (severity !== undefined && !isSeverity(severity)) return { ok: false, why: `severity: expected ${Object.keys(severe).join(", ")}` };
  return {
    ok: true,
    filter: {
      ...(run === undefined ? {} : { run }),
      ...(agent === undefined ? {} : { agent }),
      ...(types === undefined ? {} : { types: types.filter(isType) }),
      ...(tool === undefined ? {} : { tool }),
      ...(severity === undefined ? {} : { severity }),
    },
  };
}

/** The dialogs of a run. */
export type Members = ReadonlySet<string>;

/** The entries of these positions that match the filter, in order. `members`: limits them to these dialogs. Null: all dialogs. */
export async function* entriesIn(
  log: OpenLog,
  reader: EventReader,
  positions: Iterable<Position>,
  filter: RunLogFilter,
  members: Members | null,
  left: AbortSignal,
): AsyncGenerator<RunLogRow> {
  const wanted = (filter.types ?? runLogTypes).filter((type) => severe[filter.severity ?? "info"].some((one) => one === type));
  const types = [...new Set(wanted.flatMap((type) => sources[type]))];
  const { tool } = filter;
  const events = filtered(log, reader, within(positions, members), { types, ...(tool === undefined ? {} : { tool }) }, left);
  for await (const event of events) yield* matching(event, filter, members);
}

function* within(positions: Iterable<Position>, members: Members | null): Generator<Position> {
  for (const position of positions) if (members === null || !("key" in position) || members.has(position.dialogId)) yield position;
}

function* matching(event: LogEvent, { agent, types, tool, severity }: RunLogFilter, members: Members | null): Generator<RunLogRow> {
  const entry = entryOf(event);
  if (entry === null || members?.has(entry.dialogId) === false) return;
  if (agent !== undefined && entry.agentId !== agent && entry.dialogId !== agent) return;
  if (types !== undefined && !types.includes(entry.type)) return;
  if (tool !== undefined && entry.data["tool"] !== tool) return;
  if (severity !== undefined && entry.severity !== severity) return;
  yield entry;
}

/** Entries as they come. `readMembers`: the current dialogs of the run, read again for each new dialog. Null: all dialogs. */
export async function* followEntries(
  frames: AsyncGenerator<LogFrame>,
  filter: RunLogFilter,
  readMembers: (() => Promise<Members>) | null,
): AsyncGenerator<RunLogFrame> {
  let members: Members | null = null;
  const heard = new Set<string>();
  for await (const frame of frames) {
    if (frame.type === "log" || frame.type === "current") yield frame;
    if (frame.type !== "event") continue;
    const { dialogId } = frame.event;
    if (readMembers !== null && dialogId !== null && !heard.has(dialogId)) {
      heard.add(dialogId);
      members = await readMembers();
    }
    for (const entry of matching(frame.event, filter, members)) yield { type: "entry", entry };
  }
}
