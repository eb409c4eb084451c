import { isRecord } from "../../dialog/outside.ts";
import type { Position } from "../log/log.ts";
import { type FramesOf, lastFrames, type NamedFrame } from "./frames.ts";
import { sizeOf } from "./size.ts";

/** Events of a session that someone who joins is given, and UTF-16 units of JSON in them. The last event is given whatever its size. */
const backlogLength = 500;
const backlogUnits = 4_000_000;

export interface FirstFrames {
  /** What the reader is given, in the order in which it happened. */
  readonly frames: readonly NamedFrame[];
  /** What was looked at, in the order of the text, and the first section of it. */
  readonly all: readonly NamedFrame[];
  readonly from: number;
}

/**
 * The events that a reader is given who has those up to `since`; null, or one that is not known: who has none. A call is answered where it stands, so the
 * order is the log's. `positions`: of the log; null: it can't be read, and the reader is given all again, each with the id that it had.
 */
export function firstFrames(of: FramesOf, since: string | null, positions: readonly Position[] | null): FirstFrames {
  const { frames: all, from } = lastFrames(of, backlogLength);
  const versionOf = versionsIn(of.dialogId, positions ?? []);
  const inOrder = all
    .map((named) => ({ named, version: versionOf(named) }))
    .toSorted((one, other) => compare(one.version, other.version))
    .map(({ named }) => named);
  const at = since === null || positions === null ? -1 : inOrder.findLastIndex(({ frame }) => frame.id === since);
  return { frames: at < 0 ? newest(inOrder) : [...perhapsMissed(of, inOrder, at), ...inOrder.slice(at + 1)], all, from };
}

/** The version of the commit with which each event of the dialog came. What is not in the log yet is the newest. */
function versionsIn(dialogId: string, positions: readonly Position[]): (of: NamedFrame) => number {
  const versions = new Map<string, number>();
  for (const one of positions)
    if ("dialogId" in one && one.dialogId === dialogId) versions.set(`${one.generation}/${one.key}`, one.version);
  return ({ event }) => versions.get(event.slice(dialogId.length + 1)) ?? Infinity;
}

/** Two of one commit stay in the order of the text. */
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
 * What an agent outside asks is no event of the log until it is answered, so the reader may not have it: it is told again for each call that began before
 * the reader left and ended afterwards, if at all.
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
