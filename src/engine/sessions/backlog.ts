import { isRecord } from "../../dialog/outside.ts";
import type { Position } from "../log/log.ts";
import { type FramesOf, lastFrames, type NamedFrame } from "./frames.ts";
import { sizeOf } from "./size.ts";

/** The most events for a reader who joins, and their most UTF-16 units as JSON. The last event is always included, whatever its size. */
const backlogLength = 500;
const backlogUnits = 4_000_000;

export interface FirstFrames {
  /** The frames for the reader, in the order in which they happened. */
  readonly frames: readonly NamedFrame[];
  /** All frames that were read, in the order of the text, and the first section that was read. */
  readonly all: readonly NamedFrame[];
  readonly from: number;
}

/**
 * The first events for a reader that has the events up to `since`. Null or an unknown id: the reader has none. The order is the log's, because the
 * answer to a call is written where the call is in the text. `positions`: of the log. Null: it can't be read, and the reader gets all events
 * again, with the same ids.
 */
export function firstFrames(of: FramesOf, since: string | null, positions: readonly Position[] | null): FirstFrames {
  const { frames: all, from } = lastFrames(of, backlogLength);
  const versionOf = versionsIn(of.dialogId, positions ?? []);
  const inOrder = all
    .slice(-backlogLength)
    .map((named) => ({ named, version: versionOf(named) }))
    .toSorted((one, other) => compare(one.version, other.version))
    .map(({ named }) => named);
  const at = since === null || positions === null ? -1 : inOrder.findLastIndex(({ frame }) => frame.id === since);
  return { frames: at < 0 ? newest(inOrder) : [...perhapsMissed(of, inOrder, at), ...inOrder.slice(at + 1)], all, from };
}

/** The version of each event's commit. An event that isn't in the log yet is the newest. */
function versionsIn(dialogId: string, positions: readonly Position[]): (of: NamedFrame) => number {
  const versions = new Map<string, number>();
  for (const one of positions)
    if ("dialogId" in one && one.dialogId === dialogId) versions.set(`${one.generation}/${one.key}`, one.version);
  return ({ event }) => versions.get(event.slice(dialogId.length + 1)) ?? Infinity;
}

/** Events of the same commit stay in the order of the text. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function newest(all: readonly NamedFrame[]): readonly NamedFrame[] {
  let units = 0;
  let from = all.length;
  while (from > 0) {
    units += sizeOf(all[from - 1]?.frame ?? {});
    if (units > backlogUnits && from < all.length) break;
    from -= 1;
  }
  return all.slice(from);
}

/**
 * An outside agent's request isn't an event in the log until it is answered, so the reader may have missed it. It is sent again for each call that
 * began before the reader left and had not ended by then.
 */
function perhapsMissed({ state }: FramesOf, inOrder: readonly NamedFrame[], at: number): readonly NamedFrame[] {
  if (!isRecord(state.dialog)) return [];
  const asked = new Set(inOrder.flatMap(({ frame }) => (frame.type === "waiting_approval" ? [frame.tool_call_id] : [])));
  const ended = new Set(inOrder.slice(0, at + 1).flatMap(({ frame }) => (frame.type === "tool_result" ? [frame.tool_call_id] : [])));
  const isOpen = (id: string): boolean => asked.has(id) && !ended.has(id);
  return inOrder.slice(0, at).filter(({ frame }) => {
    if (frame.type === "waiting_input") return isOpen(frame.message_id);
    return (frame.type === "tool_call" || frame.type === "waiting_approval") && isOpen(frame.tool_call_id);
  });
}
