import { expect, test } from "vitest";
import type { Dialog } from "../../../../src/dialog/model.ts";
import { demoProvider } from "../../../../src/engine/providers/demo/demo.ts";
import type { ProviderEvent, ProviderRequest } from "../../../../src/engine/providers/provider.ts";
import { user } from "./play.ts";

const dialog: Dialog = { format: 1, head: [], parts: [], sections: [user("Please start.")] };
const request: ProviderRequest = { dialog, model: "scripted", system: "", tools: [], tokensSoFar: null, maxTokens: null };

/** Timers that fire at once. */
const atOnce = {
  after(_ms: number, callback: () => void) {
    queueMicrotask(callback);
    return () => {};
  },
};

async function collect(stream: AsyncIterable<ProviderEvent>, onEvent: (event: ProviderEvent) => void = () => {}): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    onEvent(event);
  }
  return events;
}

test("streams its text in small pieces, then its call, then one end", async () => {
  const events = await collect(demoProvider({ timers: atOnce }).stream(request, new AbortController().signal));
  const texts = events.flatMap((event) => (event.type === "text" ? [event.text] : []));
  expect(texts.length).toBeGreaterThan(20);
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(40);
  expect(texts.join("")).toContain("I'm a scripted demo");
  expect(events.slice(texts.length)).toEqual([
    {
      type: "call",
      id: "demo_read_1",
      name: "run_command",
      input: { ok: true, value: { command: "cat vibey/doc-main.md && echo && ls" } },
    },
    { type: "end", stop: { kind: "end" } },
  ]);
});

test("reports no usage", async () => {
  const events = await collect(demoProvider({ timers: atOnce }).stream(request, new AbortController().signal));
  expect(events.filter((event) => event.type === "usage")).toEqual([]);
});

test.each([0, 1, 5])("ends at once when it is aborted after %i events, and asks for nothing", async (count) => {
  const controller = new AbortController();
  if (count === 0) controller.abort();
  let seen = 0;
  const events = await collect(demoProvider({ timers: atOnce }).stream(request, controller.signal), () => {
    if (++seen === count) controller.abort();
  });
  expect(events).toHaveLength(count + 1);
  expect(events.at(-1)).toEqual({ type: "end", stop: { kind: "aborted" } });
});

test("does not wait for its clock once it is aborted", async () => {
  const controller = new AbortController();
  let stopped = 0;
  const never = { after: () => () => void stopped++ };
  const ended = collect(demoProvider({ timers: never }).stream(request, controller.signal));
  controller.abort();
  expect(await ended).toEqual([{ type: "end", stop: { kind: "aborted" } }]);
  expect(stopped).toBe(1);
});

test("has one model, whose name says what it is", async () => {
  expect(await demoProvider({ timers: atOnce }).models(new AbortController().signal)).toEqual({ ok: true, models: ["scripted"] });
});
