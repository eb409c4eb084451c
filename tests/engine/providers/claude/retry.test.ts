import { describe, expect, test } from "vitest";
import { limits } from "../../../../src/protocol/limits.ts";
import { retryAfter, retryDelay, retryDelayInText } from "../../../../src/engine/providers/retry.ts";
import { say } from "../../../stand-in/claude.ts";
import { manualTimers } from "../timers.ts";
import { bench, collect, messageOf, stopOf, summary } from "./setup.ts";

const inDate = "Sat, 21 Nov 2026 20:00:07 GMT";

describe("asked again", () => {
  test.each([
    [408, "timeout_error", {}, 1_000],
    [429, "rate_limit_error", {}, 1_000],
    [429, "rate_limit_error", { "retry-after": "3" }, 3_000],
    [429, "rate_limit_error", { "retry-after": "0.5" }, 500],
    [429, "rate_limit_error", { "retry-after": inDate }, 7_000],
    [429, "rate_limit_error", { "retry-after": "soon" }, 1_000],
    [429, "rate_limit_error", { "retry-after": "-3" }, 1_000],
    [500, "api_error", {}, 1_000],
    [502, "api_error", {}, 1_000],
    [503, "api_error", {}, 1_000],
    [504, "timeout_error", {}, 1_000],
    [529, "overloaded_error", { "retry-after": "2" }, 2_000],
  ])("%i %s %o", async (status, type, headers, delay) => {
    const { api, provider, timers } = await bench();
    api.play({ fail: status, type, headers }, say("there"));
    expect(summary(await collect(provider, { timers }))).toEqual([`retry in ${delay}`, '"there"', "end"]);
    expect(api.requests[1]?.raw).toBe(api.requests[0]?.raw);
  });

  test.each([
    [429, "rate_limit_error", /^Too many requests to 127\.0\.0\.1:\d+\. The provider said: Slow down\.$/],
    [529, "overloaded_error", /^127\.0\.0\.1:\d+ is overloaded\.$/],
    [500, "api_error", /^127\.0\.0\.1:\d+ returned an error \(500\)\. The provider said: Slow down\.$/],
  ])("%i: what is said while it waits asks for nothing; what is said in the end does", async (status, type, words) => {
    const { api, provider, timers } = await bench();
    api.play(...Array.from({ length: limits.requestTries }, () => ({ fail: status, type, message: "Slow down." })));
    const events = await collect(provider, { timers });
    const reasons = events.flatMap((event) => (event.type === "retry" ? [event.reason] : []));
    expect(reasons).toHaveLength(limits.requestTries - 1);
    for (const reason of reasons) expect(reason).toMatch(words);
    expect(messageOf(events)).toMatch(/[Tt]ry again/);
  });

  test("with the settings as they are then: a key that was forgotten meanwhile is not used, a new address is", async () => {
    const [first, second] = [await bench({ official: true }), await bench()];
    first.api.play({ fail: 529, type: "overloaded_error" }, { fail: 529, type: "overloaded_error" });
    second.api.play(say("there"));
    const forget = (event: { readonly type: string }) => {
      if (event.type === "retry") first.settings.apiKey = "";
    };
    expect(summary(await collect(first.provider, { timers: first.timers, on: forget }))).toEqual(["retry in 1000", "error no-key"]);
    expect(first.api.requests).toHaveLength(1);

    first.settings.apiKey = first.api.key;
    const move = (event: { readonly type: string }) => {
      if (event.type === "retry") first.settings.baseURL = second.api.url;
    };
    expect(summary(await collect(first.provider, { timers: first.timers, on: move }))).toEqual(["retry in 1000", '"there"', "end"]);
    expect([first.api.requests.length, second.api.requests.length]).toEqual([2, 1]);
  });

  test.each([
    ["overloaded_error", "Overloaded"],
    ["rate_limit_error", "Too many tokens, please wait before trying again."],
  ])("an error as the first event of a stream: %s", async (type, message) => {
    const { api, provider, timers } = await bench();
    api.play({ ...say(""), faults: { errorAfter: { events: 1, type, message } } }, say("there"));
    expect(summary(await collect(provider, { timers }))).toEqual(["retry in 1000", '"there"', "end"]);
  });

  test("not when text was shown: it is kept", async () => {
    const { api, provider } = await bench();
    api.play({ ...say("Hello, world"), faults: { errorAfter: { events: 4, type: "overloaded_error", message: "Overloaded" } } });
    expect(summary(await collect(provider))).toEqual(['"Hello,"', "error overloaded"]);
    expect(api.requests.length).toBe(1);
  });

  test("four times in all, after 1, 5 and 15 seconds", async () => {
    const { api, provider, timers } = await bench();
    for (let i = 0; i < 5; i++) api.play({ fail: 529, type: "overloaded_error", message: "Overloaded" });
    expect(summary(await collect(provider, { timers }))).toEqual(["retry in 1000", "retry in 5000", "retry in 15000", "error overloaded"]);
    expect(api.requests.length).toBe(limits.requestTries);
  });

  test("not when the server wants a longer wait than a human has", async () => {
    const { api, provider } = await bench();
    api.play({ fail: 429, type: "rate_limit_error", headers: { "retry-after": "3600" } });
    const events = await collect(provider);
    expect(summary(events)).toEqual(["error rate-limit"]);
    // The user is told until when.
    expect(JSON.stringify(events)).toMatch(/It asks to wait 60 minutes, until (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d UTC\./);
  });

  test("not when the server says so", async () => {
    const { api, provider } = await bench();
    api.play({ fail: 500, headers: { "x-should-retry": "false" } });
    expect(summary(await collect(provider))).toEqual(["error server"]);
  });

  test("not for a limit that only money lifts", async () => {
    const { api, provider } = await bench();
    api.play({ fail: 429, type: "rate_limit_error", message: "You have reached your spend limit." });
    expect(summary(await collect(provider))).toEqual(["error billing"]);
  });

  test.each([400, 401, 402, 403, 404, 405, 409, 413, 422])("never after %i", async (status) => {
    const { api, provider } = await bench();
    api.play({ fail: status, type: "x" }, say("there"));
    expect(stopOf(await collect(provider)).kind).toBe("error");
    expect(api.requests.length).toBe(1);
  });
});

describe("no connection", () => {
  test("to another machine is tried once more, and then told", async () => {
    const { fetch, asked } = broken(9);
    const { provider, timers: own, settings } = await bench({ fetch });
    settings.baseURL = "https://claude.example";
    const events = await collect(provider, { timers: own });
    expect(summary(events)).toEqual(["retry in 1000", "error unreachable"]);
    expect(asked()).toBe(2);
    for (const cause of ["connection", "address", "CORS", "blocker"]) expect(messageOf(events)).toContain(cause);
  });

  test("to this machine is told at once, with what usually is missing", async () => {
    const { fetch, asked } = broken(9);
    const { provider } = await bench({ fetch });
    const events = await collect(provider);
    expect(summary(events)).toEqual(["error unreachable"]);
    expect(asked()).toBe(1);
    for (const hint of ["OLLAMA_ORIGINS", "--cors"]) expect(messageOf(events)).toContain(hint);
  });

  test("because the device is offline is told at once", async () => {
    const { fetch, asked } = broken(9);
    const { provider, settings, network } = await bench({ fetch });
    settings.baseURL = "https://claude.example";
    network.up = false;
    const events = await collect(provider);
    expect(messageOf(events)).toContain("offline");
    expect(asked()).toBe(1);
  });

  test("a connection that is cut before the answer", async () => {
    const { api, provider, timers } = await bench({ official: true });
    api.play({ hangUp: true }, say("there"));
    expect(summary(await collect(provider, { timers }))).toEqual(["retry in 1000", '"there"', "end"]);
  });
});

const timers = manualTimers();
const asked = (headers: Record<string, string>) => retryAfter(new Headers(headers), timers.now());

describe("the wait", () => {
  test("is 1, 5 and 15 seconds, longer by a random tenth at most", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((tried) => retryDelay(null, tried, () => 0));
    expect(waits).toEqual([1_000, 5_000, 15_000, 15_000, 15_000, 15_000, 15_000]);
    expect(retryDelay(null, 1, () => 0.999)).toBe(1_100);
  });

  test("that a text asks for is no shorter than it would be without it", () => {
    const waits = [6, 7_660, 60_000].map((told) => [1, 2, 3].map((tried) => retryDelayInText(told, tried, () => 0)));
    expect(waits).toEqual([
      [1_000, 5_000, 15_000],
      [7_660, 7_660, 15_000],
      [60_000, 60_000, 60_000].map((ms) => (ms <= limits.retryAfterMs ? ms : null)),
    ]);
  });

  test("that a server asks for", () => {
    expect(asked({ "retry-after-ms": "250", "retry-after": "9" })).toBe(250);
    expect(asked({ "retry-after": inDate })).toBe(7_000);
    expect(asked({ "retry-after": "Sat, 21 Nov 2020 20:00:00 GMT" })).toBeNull();
    expect(asked({ "retry-after": "0" })).toBeNull();
    expect(asked({})).toBeNull();
  });
});

/** A network on which the first `fails` requests reach no server. */
function broken(fails: number): { fetch: typeof fetch; asked: () => number } {
  const real = globalThis.fetch;
  let count = 0;
  return {
    fetch(input, init) {
      count++;
      return count <= fails ? Promise.reject(new TypeError("Failed to fetch")) : real(input, init);
    },
    asked: () => count,
  };
}
