import { afterEach, expect, test, vi } from "vitest";
import { soon } from "../../soon.ts";
import type { ProviderAnswer } from "../../../src/protocol/index.ts";
import { createUnlocker } from "../../../src/app/providers/unlock.ts";

const locked = new Set<string>();
function engine(...names: string[]) {
  locked.clear();
  for (const name of names) locked.add(name);
  vi.stubGlobal("fetch", async (path: string) => {
    const key = locked.has(path.replace("provider/", "")) ? "locked" : "session";
    return Response.json({ configured: key === "session", baseURL: "", model: "", key, remembered: [] } satisfies ProviderAnswer);
  });
}
afterEach(() => {
  vi.unstubAllGlobals();
});

test("nobody is asked for a key that is not locked, nor for one that is not needed", async () => {
  engine("openai");
  const unlocker = createUnlocker();
  expect(await unlocker.ready("claude")).toBe(true);
  expect(await unlocker.ready("demo")).toBe(true);
  expect(unlocker.asks()).toBe(false);
});

test.each([[["openai"]], [[]]])("all that wait (for %j) hear the one answer, be it yes or no", async (names) => {
  for (const said of [true, false]) {
    engine("openai");
    const unlocker = createUnlocker();
    const answers = [unlocker.ready(...names), unlocker.ready("openai")];
    await soon(() => expect(unlocker.asks()).toBe(true));
    await Promise.resolve();
    unlocker.answer(said);
    expect(await Promise.all(answers)).toEqual([said, said]);
    expect(unlocker.asks()).toBe(false);
  }
});

test("unlocked in another tab, it goes on by itself; as long as it is locked it does not", async () => {
  engine("claude");
  const unlocker = createUnlocker();
  const ready = unlocker.ready("claude");
  await soon(() => expect(unlocker.asks()).toBe(true));
  await unlocker.look();
  expect(unlocker.asks()).toBe(true);
  locked.clear();
  await unlocker.look();
  expect(await ready).toBe(true);
});
