import { expect, test } from "vitest";
import { vibey } from "../../src/fs/actor.ts";
import { watchers } from "../../src/fs/watchers.ts";
import { path } from "./notation.ts";

const event = { kind: "removed", path: path("a"), by: vibey } as const;

test("a listener that throws keeps nobody from hearing, and its error comes to light", async () => {
  const all = watchers();
  let heard = 0;
  const stop = all.watch(() => {
    stop();
    throw new Error("mine");
  });
  all.watch(() => heard++);
  const uncaught = new Promise<unknown>((resolve) => {
    const others = process.rawListeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.once("uncaughtException", (error) => {
      for (const other of others) process.on("uncaughtException", (each, origin) => void Reflect.apply(other, process, [each, origin]));
      resolve(error);
    });
  });
  all.deliver([event]);
  all.deliver([event]);
  expect(heard).toBe(2);
  expect(await uncaught).toEqual(new Error("mine"));
});

test("a listener that is stopped by another one before its turn is not called", () => {
  const all = watchers();
  const log: string[] = [];
  all.watch(() => {
    log.push("first");
    stop();
  });
  const stop = all.watch(() => log.push("second"));
  all.deliver([event]);
  all.deliver([event]);
  expect(log).toEqual(["first", "first"]);
});

test("a listener that comes during an event hears only of the next", () => {
  const all = watchers();
  const log: string[] = [];
  let late = false;
  all.watch(() => {
    if (late) return;
    late = true;
    all.watch(() => log.push("late"));
  });
  all.deliver([event]);
  expect(log).toEqual([]);
  all.deliver([event]);
  expect(log).toEqual(["late"]);
});
