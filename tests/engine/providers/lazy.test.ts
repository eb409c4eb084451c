import { expect, test } from "vitest";
import { lazyProvider } from "../../../src/engine/providers/lazy.ts";
import type { Provider } from "../../../src/engine/providers/provider.ts";
import { dialog, user } from "../prompt/notation.ts";

const answering: Provider = {
  name: "claude",
  window: () => 200_000,
  async *stream() {
    yield { type: "end", stop: { kind: "end" } };
  },
  models: async () => ({ ok: true, models: ["m"] }),
};

const signal = new AbortController().signal;
const request = { dialog: dialog(user("hi")), model: "m", system: "", tools: [], tokensSoFar: null, maxTokens: null };

async function endOf(provider: Provider): Promise<unknown> {
  for await (const event of provider.stream(request, signal)) if (event.type === "end") return event.stop;
  throw new Error("the stream has no end");
}

test("its code is loaded once, when it is first needed or prepared; the window is known from then on", async () => {
  let loads = 0;
  const provider = lazyProvider("claude", async () => {
    loads += 1;
    return answering;
  });
  expect(provider.window("m")).toBeNull();
  await provider.prepare?.();
  expect(provider.window("m")).toBe(200_000);
  expect(await endOf(provider)).toEqual({ kind: "end" });
  expect(loads).toBe(1);
});

test.each([
  ["without a network", false, /^You're offline\. Your message is kept/],
  ["with one", true, /^Couldn't load the part of Vibey that talks to claude\. Check your connection, then try again\. \(gone\)$/],
])("code that can't be fetched is told %s, and is fetched again the next time", async (_name, online, message) => {
  let there = false;
  const provider = lazyProvider(
    "claude",
    () => (there ? Promise.resolve(answering) : Promise.reject(new Error("gone"))),
    () => online,
  );
  expect(await endOf(provider)).toEqual({ kind: "error", reason: "unreachable", message: expect.stringMatching(message) });
  await provider.prepare?.();
  expect(await provider.models(signal)).toEqual({ ok: false, message: expect.stringMatching(message) });
  there = true;
  expect(await endOf(provider)).toEqual({ kind: "end" });
});
