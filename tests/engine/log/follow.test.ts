// A client follows the log while nothing else happens in the engine.
import { expect, test } from "vitest";
import { eventBus } from "../../../src/engine/events.ts";
import { cursorOf } from "../../../src/engine/log/cursor.ts";
import type { EventReader } from "../../../src/engine/log/event-reader.ts";
import { followLog } from "../../../src/engine/log/follow.ts";
import type { OpenLog } from "../../../src/engine/log/log.ts";
import type { LogFrame } from "../../../src/protocol/index.ts";
import { message, setUp } from "./set-up.ts";

/** Makes up an event for any position. */
const reader: EventReader = {
  read: async (positions, logId) =>
    positions.map((position) => {
      if ("commit" in position) throw new Error("a commit");
      return {
        type: "text" as const,
        data: { text: position.key },
        id: position.key,
        time: "",
        exact: false,
        severity: "info" as const,
        actor: { kind: "vibey" as const },
        dialogId: position.dialogId,
        agentId: null,
        turn: 0,
        anchor: null,
        cursor: cursorOf(logId, position),
      };
    }),
};

const said = (frame: LogFrame | undefined): string | undefined => (frame?.type === "event" ? frame.event.id : frame?.type);

async function following() {
  const made = await setUp({ entries: [message] });
  const bus = eventBus((error) => expect.fail(String(error)));
  const opened = await made.log.open();
  /** The current number of listeners. */
  const count = { log: 0, bus: 0 };
  const log: OpenLog = {
    ...opened,
    watch(listener) {
      count.log += 1;
      const stop = opened.watch(listener);
      return () => {
        count.log -= 1;
        stop();
      };
    },
  };
  const left = new AbortController();
  const listen: typeof bus.listen = (listener) => {
    count.bus += 1;
    const stop = bus.listen(listener);
    return () => {
      count.bus -= 1;
      stop();
    };
  };
  const frames = followLog(log, reader, { listen }, "", left.signal);
  const next = async () => said((await frames.next()).value as LogFrame | undefined);
  expect([await next(), await next(), await next()]).toEqual(["log", "0.0.message", "current"]);
  return { ...made, next, left, count, bus, frames };
}

test("what is committed later comes by itself, in its order", async () => {
  const { store, passTime, next, left, count } = await following();
  for (const key of ["1.request", "1.0.text"]) {
    const coming = next();
    await store({ ...message, keys: [key] });
    await passTime();
    expect([await coming, await next()]).toEqual([key, "current"]);
  }
  const last = next();
  left.abort();
  expect([await last, count]).toEqual([undefined, { log: 0, bus: 0 }]);
});

test("who waits is not waiting for a log that ended", async () => {
  const { log, next, count } = await following();
  const last = next();
  log.lacks();
  expect([await last, count]).toEqual([undefined, { log: 0, bus: 0 }]);
});

test("who leaves between two frames leaves no listener behind", async () => {
  const { frames, left, count } = await following();
  left.abort();
  await frames.return(undefined);
  expect(count).toEqual({ log: 0, bus: 0 });
});

test("a live event wakes who waits", async () => {
  const { next, bus } = await following();
  const coming = next();
  bus.emit({ type: "keys", data: {} });
  expect(await coming).toBe("live");
});
