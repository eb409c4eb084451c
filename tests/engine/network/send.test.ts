import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../../src/protocol/limits.ts";
import { fetchSend, type Sending } from "../../../src/engine/network/send.ts";

const never = new AbortController().signal;
const noTimers = { after: () => () => undefined };
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

let server: Server;
let base = "";
/** The requests that the server got: method, address, body. */
const heard: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      heard.push(`${request.method} ${request.url} ${Buffer.concat(parts).toString()}`.trim());
      if (request.url === "/moved") response.writeHead(302, { location: "/next" }).end("moved");
      else if (request.url === "/zip") response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("unpacked"));
      else if (request.url === "/nowhere") response.writeHead(304).end();
      else response.writeHead(404, "Gone fishing", { "content-type": "text/plain", "x-own": "1" }).end("no such page");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const sending = (path: string, more: Partial<Sending> = {}): Sending => ({
  url: base + path,
  method: "GET",
  headers: [],
  body: null,
  ...more,
});

describe("to a real server", () => {
  const send = fetchSend({ fetch, timers: noTimers });

  test("an answer is an answer, whatever its status", async () => {
    const sent = await send(sending("/x"), never);
    expect(sent).toMatchObject({ kind: "answer", url: `${base}/x`, status: 404, statusText: "Gone fishing" });
    expect(sent.kind === "answer" && [text(sent.body), new Map(sent.headers).get("x-own")]).toEqual(["no such page", "1"]);
  });

  test("a redirect is not followed", async () => {
    heard.length = 0;
    const sent = await send(sending("/moved", { method: "POST", body: new TextEncoder().encode("x") }), never);
    expect(sent).toMatchObject({ kind: "redirect", location: "/next", answer: { status: 302, url: `${base}/moved` } });
    expect(heard).toEqual(["POST /moved x"]);
  });

  test("a body that was unpacked on its way is not said to be packed", async () => {
    const sent = await send(sending("/zip"), never);
    const headers = new Map(sent.kind === "answer" ? sent.headers : []);
    expect([sent.kind === "answer" && text(sent.body), headers.has("content-encoding"), headers.has("content-length")]).toEqual([
      "unpacked",
      false,
      false,
    ]);
  });

  test("304 is no redirect", async () => {
    expect(await send(sending("/nowhere"), never)).toMatchObject({ kind: "answer", status: 304 });
  });

  test("a body of shared memory is sent", async () => {
    heard.length = 0;
    const body = new Uint8Array(new SharedArrayBuffer(2));
    body.set([104, 105]);
    await send(sending("/shared", { method: "PUT", body }), never);
    expect(heard).toEqual(["PUT /shared hi"]);
  });

  test("a host that is not there", async () => {
    const closed = { url: "http://127.0.0.1:1/", method: "GET", headers: [], body: null };
    expect(await send(closed, never)).toMatchObject({ kind: "failed", why: expect.stringContaining("couldn't connect to the host") });
  });
});

describe("by a fetch that", () => {
  test("hears how to ask", async () => {
    const asked: unknown[] = [];
    const fake: typeof fetch = async (url, init) => {
      asked.push(url, { ...init, signal: undefined });
      return new Response("x");
    };
    await fetchSend({ fetch: fake, timers: noTimers })(sending("/", { headers: [["a", "b"]] }), never);
    expect(asked).toEqual([
      `${base}/`,
      {
        method: "GET",
        headers: [["a", "b"]],
        redirect: "manual",
        credentials: "omit",
        referrerPolicy: "no-referrer",
        cache: "no-store",
        signal: undefined,
      },
    ]);
  });

  test("hides a redirect, as a browser does", async () => {
    const opaque = Object.defineProperties(new Response(null), { type: { value: "opaqueredirect" }, status: { value: 0 } });
    const sent = await fetchSend({ fetch: async () => opaque, timers: noTimers })(sending("/"), never);
    expect(sent).toEqual({ kind: "redirect", location: null, answer: null });
  });

  test("brings too much: the rest is not waited for", async () => {
    let pulled = 0;
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(((pulled += 1), 8_000_000))),
      cancel: () => void (cancelled = true),
    });
    const sent = await fetchSend({ fetch: async () => new Response(stream), timers: noTimers })(sending("/"), never);
    expect(sent).toEqual({ kind: "failed", why: "the response is larger than 64 MB, the limit per request" });
    expect([pulled * 8_000_000 < 2 * limits.networkAnswerBytes, cancelled]).toEqual([true, true]);
  });

  test.each(["time", "stop"] as const)("never answers: the end comes with the %s", async (what) => {
    const stop = new AbortController();
    let late: () => void = () => undefined;
    let waited = 0;
    let timerStopped = false;
    const timers = {
      after(ms: number, callback: () => void) {
        [waited, late] = [ms, callback];
        return () => void (timerStopped = true);
      },
    };
    const hangs: typeof fetch = (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))));
    const sent = fetchSend({ fetch: hangs, timers })(sending("/"), stop.signal);
    if (what === "time") late();
    else stop.abort();
    const why = what === "time" ? "no complete response within 60 s" : "the request was stopped";
    expect([await sent, waited, timerStopped]).toEqual([{ kind: "failed", why }, limits.networkMs, true]);
  });
});
