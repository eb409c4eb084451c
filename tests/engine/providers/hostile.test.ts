import { expect, test } from "vitest";
import { memoryKeys } from "../../../src/engine/vault/keys.ts";
import { limits } from "../../../src/protocol/limits.ts";
import { parseInput } from "../../../src/engine/providers/answer.ts";
import { providerRegistry } from "../../../src/engine/providers/provider-registry.ts";
import { scrub } from "../../../src/engine/providers/key.ts";
import { lazyProvider } from "../../../src/engine/providers/lazy.ts";
import type { Provider } from "../../../src/engine/providers/provider.ts";
import { namedLimit } from "../../../src/engine/providers/tokens.ts";
import { providerOn as claudeOn } from "./claude/setup.ts";
import { stopOf, summary, until } from "./events.ts";
import { fake, refusing } from "./openai/fake.ts";
import { collect, providerOn } from "./openai/setup.ts";
import { testMemory } from "./memory.ts";
import { manualTimers } from "./timers.ts";

const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const asJson = { "content-type": "application/json" };
const asStream = { "content-type": "text/event-stream" };

/** A body that repeats `piece` forever, and how much of it was read. Without `piece`, it sends nothing and never ends. */
function endless(piece?: string) {
  const bytes = new TextEncoder().encode(piece);
  const seen = { pulls: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.pulls++;
      if (piece === undefined) return new Promise(() => {});
      controller.enqueue(bytes);
      return undefined;
    },
    cancel() {
      seen.cancelled = true;
    },
  });
  return { body, seen };
}

test.each([
  ["a refusal", () => new Response(`{"message":${deep}}`, { status: 400, headers: asJson })],
  ["the detail of a refusal", () => new Response(`{"detail":${deep}}`, { status: 422, headers: asJson })],
  ["the error of a refusal", () => new Response(`{"error":{"a":${deep}}}`, { status: 400, headers: asJson })],
  [
    "the code of an error in a stream",
    () => new Response(`data: {"error":{"type":"invalid_request_error","message":"m","code":${deep}}}\n\n`, { headers: asStream }),
  ],
  [
    "the code of an error in a whole body",
    () => new Response(`{"error":{"type":"invalid_request_error","message":"m","code":${deep}}}`, { headers: asJson }),
  ],
])("%s that is nested without end ends the response, and the list of models", async (_what, answer) => {
  for (const provider of [providerOn(async () => answer()), claudeOn(async () => answer())]) {
    const events = await collect(provider, {});
    expect(stopOf(events).kind).toMatch(/error|interrupted/);
    expect((await provider.models(new AbortController().signal)).ok).toBe(false);
  }
});

test("input that is nested deeper than anything could write it is no input", () => {
  const json = `{"a":${deep}}`;
  expect(parseInput(json)).toEqual({ ok: false, raw: json });
});

test("a key is kept for the base URL that it was typed with, whatever is changed meanwhile", async () => {
  const stub: Provider = {
    name: "openai",
    stream: async function* () {},
    window: () => null,
    models: async () => ({ ok: true, models: [] }),
  };
  const keys = memoryKeys();
  const store = { read: async () => ({}), write: () => new Promise<void>((resolve) => setImmediate(resolve)) };
  const kinds = [{ name: "openai", defaultModel: "m", defaultBaseURL: "https://o.example", make: () => stub }] as const;
  const registry = await providerRegistry(kinds, store, keys, () => {});
  const first = registry.change("openai", { apiKey: "sk-first", baseURL: "https://first.example" });
  const second = registry.change("openai", { baseURL: "https://second.example" });
  await Promise.all([first, second]);
  expect(keys.get("openai", "https://second.example")).toBeNull();
});

test("bytes that go on behind the end hold the response open no longer than silence does", async () => {
  const timers = manualTimers();
  const end = new TextEncoder().encode('data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n');
  let pings = 0;
  let wake = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(end),
    async pull(controller) {
      await new Promise<void>((resolve) => (wake = resolve));
      controller.enqueue(new TextEncoder().encode(`: ping ${++pings}\n\n`));
    },
  });
  let done: string[] | null = null;
  const answered = collect(providerOn(async () => new Response(body, { headers: asStream }), { timers })).then(
    (events) => (done = summary(events)),
  );
  await until(() => timers.waiting.includes(limits.afterEndMs));
  for (let n = 0; n < 3; n++) {
    timers.advance(limits.afterEndMs - 500);
    wake();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(done).toEqual(['"a"', "end"]);
  await answered;
});

test("an abort while the provider's own code is loaded ends the response, and the list of models", async () => {
  const provider = lazyProvider("openai", () => new Promise(() => {}));
  const abort = new AbortController();
  const events = collect(provider, { signal: abort.signal });
  const models = provider.models(abort.signal);
  abort.abort();
  expect(await events).toEqual([{ type: "end", stop: { kind: "aborted" } }]);
  expect(await models).toEqual({ ok: false, message: "Stopped." });
});

test("a page in place of a stream is let go of", async () => {
  const { body, seen } = endless("<p>");
  const events = await collect(providerOn(async () => new Response(body, { headers: { "content-type": "text/html" } })));
  expect(summary(events)).toEqual(["error protocol"]);
  expect(seen.cancelled).toBe(true);
});

test("a refusal without an end is given up", async () => {
  for (const on of [providerOn, claudeOn]) {
    const { body, seen } = endless("x".repeat(1_000_000));
    const aborted: boolean[] = [];
    const provider = on(async (_url, init) => {
      init?.signal?.addEventListener("abort", () => aborted.push(true));
      return new Response(body, { status: 400, headers: asJson });
    });
    expect(stopOf(await collect(provider)).kind).toMatch(/error|interrupted/);
    expect(seen.pulls).toBeLessThan(200);
    expect(aborted).toEqual([true]);
  }
});

test("a limit that did not help is not remembered", async () => {
  const { fetch } = fake((body) =>
    refusing(400, {
      error: { type: "invalid_request_error", message: `context: must have at most 5000 characters, not ${String(body["max_tokens"])}` },
    }),
  );
  const memory = testMemory();
  await collect(providerOn(fetch, { memory }));
  expect(memory.all).toEqual({});
});

test.each([
  ["maximum context length is 0 tokens. However, you requested 0 tokens (5000 in the completion)"],
  [
    "maximum context length is 99999999999999999999999 tokens. However, you requested 99999999999999999999999 tokens (5000 in the completion)",
  ],
])("a window that can't be is none: %s", (said) => {
  expect(namedLimit(said, 64_000)).toBeNull();
});

test.each([
  ["cut in its middle", "bad key: ab/cd+efg/hij+klm…"],
  ["as a URL has it", "bad key: ab%2Fcd%2Befg%2Fhij%2Bklm%2Fno"],
  ["in capitals", "bad key: AB/CD+EFG/HIJ+KLM/NO"],
])("a key of short words is not told, %s", (_how, said) => {
  expect(scrub(said, "ab/cd+efg/hij+klm/no")).not.toMatch(/hij|klm/i);
});

test("a list of models has an end", async () => {
  const data = Array.from({ length: 100_000 }, (_, n) => ({ id: `m-${n}`, context_length: 1000 }));
  const memory = testMemory();
  const list = await providerOn(async () => Response.json({ data }), { memory }).models(new AbortController().signal);
  expect(list.ok && list.models.length).toBeLessThanOrEqual(5_000);
  expect(Object.keys(Object.values(memory.all)[0] ?? {}).length).toBeLessThanOrEqual(5_000);
});

test("what a retried refusal says does not bring back a request that was refused", async () => {
  const roles: string[] = [];
  const timers = manualTimers();
  const provider = providerOn(
    fake((body) => {
      const role = body.messages?.[0]?.role ?? "";
      roles.push(role);
      return refusing(500, {
        error: {
          message: role === "system" ? "role system is not supported, supported values: developer" : "role developer is not supported",
        },
      });
    }).fetch,
    { timers },
  );
  await collect(provider, { timers });
  expect(roles.slice(2)).not.toContain("system");
});
