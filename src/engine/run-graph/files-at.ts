import type { JsonObject } from "../../dialog/model.ts";
import type { LogEvent, Step, WrittenFile, WrittenOp } from "../../protocol/index.ts";
import { cursorOf } from "../log/cursor.ts";
import type { EventReader } from "../log/event-reader.ts";
import type { EventPosition, OpenLog } from "../log/log.ts";

type Wrote = Extract<Step, { what: "wrote" }>;

/** What calls wrote in turns that had not ended after these steps, so that no commit of the history has it. By path, in order. */
export function writtenSince(steps: Iterable<Step>): ReadonlyMap<string, readonly Wrote[]> {
  let open: Wrote[] = [];
  for (const step of steps) {
    if (step.what === "turn") open = open.filter(({ dialogId }) => dialogId !== step.dialogId);
    else if (step.what === "wrote") open.push(step);
  }
  const byPath = new Map<string, Wrote[]>();
  for (const step of open) if (byPath.get(step.path)?.push(step) === undefined) byPath.set(step.path, [step]);
  return byPath;
}

export const writtenFiles = (written: ReturnType<typeof writtenSince>): WrittenFile[] =>
  [...written].map(([path, steps]) => ({ path, gone: steps.at(-1)?.gone === true }));

/** The last commit of the history among the first `count` positions of the log. Null if there is none, or it can't be read. */
export async function commitBefore(log: OpenLog, reader: EventReader, count: number): Promise<string | null> {
  for (let at = Math.min(count, log.positions.length) - 1; at >= 0; at -= 1) {
    const position = log.positions[at];
    if (position === undefined || "key" in position) continue;
    const [event] = await reader.read([position], log.logId);
    return event?.type === "commit" ? event.data.commit : null;
  }
  return null;
}

/** What each of these steps did to its file, according to its call. */
export async function opsOf(log: OpenLog, reader: EventReader, steps: readonly Wrote[]): Promise<WrittenOp[]> {
  const cursors = new Map(steps.map(({ cursor }, at) => [cursor, at]));
  const ops: WrittenOp[] = steps.map(() => ({ op: "unknown" }));
  for (const position of log.positions) {
    const at = cursors.get(cursorOf(log.logId, position));
    if (at === undefined || !("key" in position)) continue;
    const beside = (type: string): EventPosition => ({ ...position, key: position.key.replace(/\.file_change(?:\.\d+)?$/, `.${type}`) });
    const events = await reader.read([beside("tool_call"), beside("approval")], log.logId);
    ops[at] = opOf(events, steps[at]?.gone === true);
  }
  return ops;
}

/** No event has the arguments that the user approved instead of the agent's, so such a call gives `unknown`. */
function opOf(events: readonly LogEvent[], gone: boolean): WrittenOp {
  if (gone) return { op: "delete" };
  if (events.some((event) => event.type === "approval" && event.data.edited === true)) return { op: "unknown" };
  const call = events.find((event) => event.type === "tool_call");
  return call?.type === "tool_call" ? writeOf(call.data.input) : { op: "unknown" };
}

function writeOf(input: JsonObject): WrittenOp {
  const { content, old_string: old, new_string: text } = input;
  if (typeof content === "string") return { op: "write", text: content };
  return typeof old === "string" && typeof text === "string" ? { op: "edit", old, text } : { op: "unknown" };
}
