import { describe, expect, test } from "vitest";
import { say, streamText } from "../../../stand-in/claude.ts";
import { bench, collect, providerOn, request, summary, until } from "./setup.ts";

const calls = ["a", "b"].map((id) => ({ call: "run_command", id, input: { command: "ls" } }));
const reply = { blocks: [{ text: "Hello, world" }, ...calls] };

describe("after an abort the end follows at once", () => {
  test("before the request: nothing is sent", async () => {
    const { api, provider } = await bench();
    expect(summary(await collect(provider, { signal: AbortSignal.abort() }))).toEqual(["aborted"]);
    expect(api.requests.length).toBe(0);
  });

  test("before the first byte", async () => {
    const { api, provider, timers } = await bench();
    api.play({ silence: true });
    const stop = new AbortController();
    const done = collect(provider, { signal: stop.signal });
    await until(() => api.requests.length === 1);
    stop.abort();
    expect(summary(await done)).toEqual(["aborted"]);
    expect(await api.requests[0]?.left).toBe(true);
    expect(timers.waiting).toEqual([]);
  });

  test.each([50, 100_000])("at every event, in pieces of %i bytes", async (pieceBytes) => {
    const whole = (await answered()).length;
    for (let at = 0; at < whole - 1; at++) {
      const { api, provider } = await bench();
      api.play({ ...reply, faults: { pieceBytes } });
      const stop = new AbortController();
      const events = await collect(provider, { signal: stop.signal, on: (_event, index) => index === at && stop.abort() });
      expect(summary(events).at(-1)).toBe("aborted");
      expect(events.length).toBe(at + 2);
    }
  });

  test("inside a call's input: the call stays incomplete, the text is kept", async () => {
    const { api, provider } = await bench();
    const text = streamText(reply);
    api.play({ ...reply, faults: { stallAfterBytes: text.indexOf("partial_json") + 80 } });
    const stop = new AbortController();
    const done = collect(provider, { signal: stop.signal, on: (event) => event.type === "text" && setImmediate(() => stop.abort()) });
    expect(summary(await done)).toEqual(['"Hello, world"', "run_command[a]…", "aborted"]);
    expect(await api.requests[0]?.left).toBe(true);
  });

  test("while it waits to ask again: no further request", async () => {
    const { api, provider, timers } = await bench();
    api.play({ fail: 529, type: "overloaded_error", headers: { "retry-after": "60" } }, say("too late"));
    const stop = new AbortController();
    const done = collect(provider, { signal: stop.signal });
    await until(() => timers.waiting.includes(60_000));
    stop.abort();
    expect(summary(await done)).toEqual(["retry in 60000", "aborted"]);
    expect(api.requests.length).toBe(1);
    expect(timers.waiting).toEqual([]);
  });

  test("although the real fetch takes no notice", async () => {
    const stop = new AbortController();
    const deaf = providerOn(() => new Promise(() => {}));
    const done = collect(deaf, { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect(summary(await done)).toEqual(["aborted"]);
  });
});

test("a reader that leaves ends the request", async () => {
  const { api, provider } = await bench();
  api.play({ ...say("Hello, world"), faults: { stallAfterBytes: 700 } });
  for await (const event of provider.stream(request(), new AbortController().signal)) if (event.type === "text") break;
  expect(await api.requests[0]?.left).toBe(true);
});

async function answered() {
  const { api, provider } = await bench();
  api.play(reply);
  return collect(provider);
}
