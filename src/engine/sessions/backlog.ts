import { isRecord } from "../../dialog/outside.ts";
import type { SessionFrame } from "../../protocol/index.ts";
import { type FramesOf, lastFrames, type NamedFrame } from "./frames.ts";
import { sizeOf } from "./size.ts";

/** Events of a session that someone who joins is given, and UTF-16 units of JSON in them. The last event is given whatever its size. */
export const backlogLength = 500;
const backlogUnits = 4_000_000;

export interface FirstFrames {
  /** What the reader is given. */
  readonly frames: readonly NamedFrame[];
  /** What was looked at, and the first section of it. */
  readonly all: readonly NamedFrame[];
  readonly from: number;
}

/** The events that a reader is given who has those up to `since`; null, or one that is not known: who has none. */
export function firstFrames(of: FramesOf, since: string | null): FirstFrames {
  const { frames: all, from } = lastFrames(of, backlogLength);
  const at = since === null ? -1 : all.findLastIndex(({ frame }) => frame.id === since);
  return { frames: at < 0 ? newest(all) : [...missed(of, all, at), ...all.slice(at + 1)], all, from };
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
 * Events that stand above the last one that a reader has, and may have come after it: a call is answered where it stands, in a record also when later
 * sections have begun. The reader may have them, and drops what it has by its id.
 */
function missed({ state }: FramesOf, all: readonly NamedFrame[], at: number): readonly NamedFrame[] {
  const section = all[at]?.section;
  return all.slice(0, at).filter((one) => ofCall.has(one.frame.type) && (isRecord(state.dialog) || one.section === section));
}

const ofCall: ReadonlySet<SessionFrame["type"]> = new Set(["tool_call", "tool_result", "waiting_approval", "waiting_input", "error"]);
