import type { LiveEvent, LogFrame } from "../../protocol/index.ts";
import type { EventBus } from "../events.ts";
import { countUpTo, cursorOf } from "./cursor.ts";
import type { EventReader } from "./event-reader.ts";
import type { OpenLog } from "./log.ts";

/** Positions that are read at once. */
const batch = 200;
/** Live events that are kept for a slow reader. */
const maxLive = 256;

/**
 * Every event after `since`, once and in order, then each new one, until `left` is aborted or another log replaces this one. A slow reader lags
 * behind in the log itself, so nothing is queued for it. Live events come in between. A slow reader gets `hello` instead of the live events that it
 * missed.
 */
export async function* followLog(
  log: OpenLog,
  reader: EventReader,
  bus: Pick<EventBus, "listen">,
  since: string,
  left: AbortSignal,
): AsyncGenerator<LogFrame> {
  const { logId, positions, ended } = log;
  const known = countUpTo(positions, logId, since);
  let at = known ?? 0;
  let told = -1;
  const live = keepLive(bus);
  try {
    yield { type: "log", logId, restarted: known === null && since !== "" };
    while (!left.aborted && !ended.aborted) {
      yield* live.take();
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
      await anyOf(left, ended, (wake) => {
        const stops = [log.watch(wake), live.watch(wake)];
        if (positions.length > at || live.some()) wake();
        return () => stops.forEach((stop) => stop());
      });
    }
  } finally {
    live.stop();
  }
}

/** Collects live events while the reader is busy. */
function keepLive(bus: Pick<EventBus, "listen">) {
  let waiting: LiveEvent[] = [];
  let missed = false;
  let wake = () => {};
  const stop = bus.listen((event) => {
    if (waiting.length < maxLive) waiting.push(event);
    else missed = true;
    wake();
  });
  return {
    stop,
    some: () => waiting.length > 0,
    *take(): Generator<LogFrame> {
      const [taken, all] = [waiting, !missed];
      waiting = [];
      missed = false;
      if (!all) return yield { type: "hello" };
      for (const event of taken) yield { type: "live", event };
    },
    watch(listener: () => void) {
      wake = listener;
      return () => void (wake = () => {});
    },
  };
}

/** Waits until `wake` is called or one of the signals is aborted. `begin` gets `wake` and returns a function that stops it. */
function anyOf(left: AbortSignal, ended: AbortSignal, begin: (wake: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    let stop = () => {};
    let over = false;
    const done = () => {
      over = true;
      stop();
      for (const signal of [left, ended]) signal.removeEventListener("abort", done);
      resolve();
    };
    for (const signal of [left, ended]) signal.addEventListener("abort", done);
    stop = begin(done);
    if (over || left.aborted || ended.aborted) done();
  });
}
