import { describe, expect, test } from "vitest";
import { type Followed, frameFollow, originsFor } from "../../../src/engine/network/follow.ts";
import { reservedOrigins } from "../../../src/engine/network/reserved.ts";
import type { Sending } from "../../../src/engine/network/send.ts";
import { answer, begin, command, done, go, wired } from "./commands.ts";

const sending = (more: Partial<Sending> = {}): Sending => ({ url: "https://a.example/x", method: "GET", headers: [], body: null, ...more });
const never = new AbortController().signal;
const noTimers = { after: () => () => undefined };

describe("where redirects may lead that no script sees", () => {
  const reserved = reservedOrigins(["https://api.example", "http://localhost:11434"], "https://vibey.example");
  test.each<readonly [string, string, readonly string[], readonly string[]]>([
    ["to its own origin", "https://a.example/x", [], ["https://a.example"]],
    [
      "to hosts that may be reached",
      "https://a.example/x",
      ["a.example", "b.example:8443"],
      ["https://a.example", "https://b.example:8443"],
    ],
    [
      "to no host that is closed by now",
      "https://a.example/",
      ["api.example", "x.api.example", "vibey.example", "10.0.0.1"],
      ["https://a.example"],
    ],
    ["to no nonsense", "https://a.example/", ["2130706433", "b.example:443", "-", "*"], ["https://a.example"]],
    ["from elsewhere not to this device", "https://a.example/", ["localhost:8080", "127.0.0.1", "[::1]"], ["https://a.example"]],
    [
      "from this device to it, and away",
      "http://localhost:8080/",
      ["localhost:8080", "127.0.0.1:9090", "localhost:11434", "[::1]:9090", "a.example"],
      ["http://localhost:8080", "https://localhost:8080", "https://127.0.0.1:9090", "http://127.0.0.1:9090", "https://a.example"],
    ],
  ])("%s", (_, url, hosts, origins) => {
    expect(originsFor(sending({ url }), new URL(url), hosts, reserved)).toEqual(origins);
  });

  test("what says who asks goes to its own origin alone", () => {
    const secret = sending({ headers: [["authorization", "Bearer x"]] });
    expect(originsFor(secret, new URL(secret.url), ["a.example", "b.example"], reserved)).toEqual(["https://a.example"]);
  });
});

describe("a request in a frame", () => {
  /** A frame that answers with `says`; null: it never answers. */
  function framed(says: object | null, signal = never, timers: { after(ms: number, late: () => void): () => void } = noTimers) {
    const heard: unknown[] = [];
    let frame: MessagePort | undefined;
    const follow = frameFollow({
      openFrame(port) {
        frame = port;
        port.addEventListener("message", ({ data }) => {
          heard.push(data);
          if (data.type === "request" && says) port.postMessage(says);
          if (data.type === "abort") port.close();
        });
        port.start();
      },
      timers,
    });
    return {
      answer: follow(sending({ method: "HEAD", headers: [["accept", "x/y"]] }), ["https://a.example"], signal),
      heard,
      isOpen: () => frame !== undefined,
    };
  }

  test("is told what to ask and where it may lead, and its answer is taken", async () => {
    const body = new TextEncoder().encode("ok").buffer;
    const said = { type: "answer", url: "https://a.example/y", status: 201, statusText: "Made", headers: [["x-own", "1"]], body };
    const { answer: got, heard } = framed(said);
    expect(await got).toEqual({
      kind: "answer",
      url: "https://a.example/y",
      status: 201,
      statusText: "Made",
      headers: [["x-own", "1"]],
      body: new Uint8Array([111, 107]),
    });
    expect(heard[0]).toEqual({
      type: "request",
      url: "https://a.example/x",
      method: "HEAD",
      headers: [["accept", "x/y"]],
      sources: ["https://a.example"],
      mostBytes: 64_000_000,
    });
  });

  test.each<readonly [object, Followed]>([
    [{ type: "blocked" }, { kind: "blocked" }],
    [{ type: "large" }, { kind: "failed", why: "the response is larger than 64 MB, the limit per request" }],
    [
      { type: "failed", message: "Failed to fetch" },
      { kind: "failed", why: "a redirect could not be followed (Failed to fetch)" },
    ],
  ])("%j", async (says, followed) => {
    expect(await framed(says).answer).toEqual(followed);
  });

  test("that never answers ends with the time, or with a stop", async () => {
    let late: () => void = () => undefined;
    const timed = framed(null, never, { after: (_, then) => ((late = then), () => undefined) });
    late();
    expect(await timed.answer).toEqual({ kind: "failed", why: "no complete response within 60 s" });
    const stop = new AbortController();
    const stopped = framed(null, stop.signal);
    stop.abort();
    expect(await stopped.answer).toEqual({ kind: "failed", why: "the request was stopped" });
    const before = framed(null, AbortSignal.abort());
    expect([await before.answer, before.isOpen()]).toEqual([{ kind: "failed", why: "the request was stopped" }, false]);
  });
});

describe("a redirect that the browser hides", () => {
  async function visit(line: string, followed: Followed, more = {}) {
    const asked: { sending: Sending; origins: readonly string[] }[] = [];
    const b = await wired([command("c1", line), done], {
      reply: () => ({ kind: "redirect", location: null, answer: null }),
      follow: async (what, origins) => {
        asked.push({ sending: what, origins });
        return followed;
      },
      more,
    });
    const id = await begin(b);
    const network = [
      { host: "a.example", allow: true },
      { host: "b.example", allow: true },
      { host: "c.example", allow: false },
    ];
    await b.ask("PUT", "/dialog", { dialogId: id, network });
    await (await go(b, id)).text();
    return { asked, got: b.answers.get(line) ?? "" };
  }

  test("is followed to the hosts of the dialog", async () => {
    const { asked, got } = await visit("GET https://a.example/x", answer("https://b.example/y"));
    expect(got).toBe("200 https://b.example/y");
    expect(asked.map(({ origins }) => origins)).toEqual([["https://a.example", "https://b.example"]]);
  });

  test("and leads elsewhere says so", async () => {
    const { got } = await visit("GET https://a.example/x", { kind: "blocked" });
    expect(got).toMatch(/^failed: a\.example redirects to a host this dialog isn't allowed to connect to, so the redirect wasn't followed/);
  });

  test.each([
    ["POST https://a.example/x", {}],
    ["GET https://a.example/x", { follow: false }],
  ])("of %s is not sent twice, nor followed unasked", async (line, more) => {
    const { asked, got } = await visit(line, answer("https://a.example/y"), more);
    expect([asked, got]).toEqual([[], expect.stringMatching(/^failed: .* wasn't followed\. Use the final address$/)]);
  });
});
