import { expect, test } from "vitest";
import { watchers } from "../../src/fs/watchers.ts";
import { path } from "./notation.ts";

const event = { kind: "removed", path: path("a"), by: "" } as const;

test("a listener that throws keeps nobody from hearing, and its error comes to light", async () => {
  const { watch, deliver } = watchers();
  let heard = 0;
  watch(() => {
    throw new Error("mine");
  });
  watch(() => heard++);
  const uncaught = new Promise<unknown>((resolve) => {
    const others = process.rawListeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.once("uncaughtException", (error) => {
      for (const other of others) process.on("uncaughtException", (each, origin) => void Reflect.apply(other, process, [each, origin]));
      resolve(error);
    });
  });
  deliver([event]);
  deliver([event]);
  expect(heard).toBe(2);
  expect(await uncaught).toEqual(new Error("mine"));
});

test("a listener that is stopped by another one before its turn is not called", () => {
  const { watch, deliver } = watchers();
  const log: string[] = [];
  watch(() => {
    log.push("first");
    stop();
  });
  const stop = watch(() => log.push("second"));
  deliver([event]);
  deliver([event]);
  expect(log).toEqual(["first", "first"]);
});

test("a listener that comes during an event hears only of the next", () => {
  const { watch, deliver } = watchers();
  const log: string[] = [];
  let late = false;
  watch(() => {
    if (late) return;
    late = true;
    watch(() => log.push("late"));
  });
  deliver([event]);
  expect(log).toEqual([]);
  deliver([event]);
  expect(log).toEqual(["late"]);
});
