import type { LogFrame } from "../../protocol/index.ts";
import { countUpTo, cursorOf } from "./cursor.ts";
import type { EventReader } from "./event-reader.ts";
import type { OpenLog } from "./log.ts";

/** Positions that are read at once. */
const batch = 200;

/**
 * Every event after `since`, once and in order, then each one as it comes, until `left` is aborted, or another log takes the place of this
 * one. A slow reader is behind the log itself, so nothing is kept for it.
 */
export async function* followLog(log: OpenLog, reader: EventReader, since: string, left: AbortSignal): AsyncGenerator<LogFrame> {
  const { logId, positions, ended } = log;
  const known = countUpTo(positions, logId, since);
  let at = known ?? 0;
  let told = -1;
  yield { type: "log", logId, restarted: known === null && since !== "" };
  while (!left.aborted && !ended.aborted) {
    if (at < positions.length) {
      const next = positions.slice(at, at + batch);
      at += next.length;
      for (const event of await reader.read(next, logId)) yield { type: "event", event };
      continue;
    }
    if (told !== at) {
      told = at;
      const last = positions[at - 1];
      yield { type: "current", cursor: last ? cursorOf(logId, last) : "" };
      continue;
    }
    await grown(log, at, left);
  }
}

/** Until there is more, the log has ended, or the reader has left. */
function grown(log: OpenLog, count: number, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = log.watch(() => done());
    function done() {
      stop();
      for (const signal of [left, log.ended]) signal.removeEventListener("abort", done);
      resolve();
    }
    for (const signal of [left, log.ended]) signal.addEventListener("abort", done);
    if (left.aborted || log.ended.aborted || log.positions.length > count) done();
  });
}
