import { afterEach, describe, expect, test } from "vitest";
import { portFetch } from "../../src/protocol/port/fetch-over-port.ts";
import { ownPath } from "../../src/protocol/own-paths.ts";
import { firstCredit, type ToEngine } from "../../src/protocol/port/messages.ts";
import { answerCalls } from "../../src/protocol/port/answer-calls.ts";
import { deferred } from "../engine/deferred.ts";

const open: MessagePort[] = [];

/** A client's `fetch` and a handler connected by a channel, as in page and worker. */
function connect(handler: (request: Request) => Response | Promise<Response>) {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  const answering = answerCalls(handler, (message, transfer = []) => port2.postMessage(message, transfer));
  port2.addEventListener("message", ({ data }: MessageEvent<ToEngine>) => answering.take(data));
  port2.start();
  const call = portFetch(port1);
  return (path: string, init?: RequestInit) => call(new Request(`http://page${path}`, init), path);
}

afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

const bytes = (...values: number[]) => new Uint8Array(values);

test("method, path, query, headers and body go; status, headers and body come", async () => {
  const fetch = connect(async (request) => {
    const url = new URL(request.url);
    return Response.json(
      {
        method: request.method,
        path: url.pathname + url.search,
        header: request.headers.get("x-a"),
        body: [...new Uint8Array(await request.arrayBuffer())],
      },
      { status: 418, headers: { "x-b": "b" } },
    );
  });
  const answer = await fetch("/a%20b?c=%C3%A4", { method: "PUT", headers: { "x-a": "1" }, body: bytes(0, 255, 13, 10) });
  expect([answer.status, answer.headers.get("x-b")]).toEqual([418, "b"]);
  expect(await answer.json()).toEqual({ method: "PUT", path: "/a%20b?c=%C3%A4", header: "1", body: [0, 255, 13, 10] });
});

test.each([204, 304])("a %i has no body", async (status) => {
  const answer = await connect(() => new Response(null, { status }))("/");
  expect([answer.status, answer.body]).toEqual([status, null]);
});

test("many calls at once, each with its own answer", async () => {
  const fetch = connect(async (request) => new Response(new URL(request.url).pathname));
  const paths = Array.from({ length: 200 }, (_, n) => `/${n}`);
  expect(await Promise.all(paths.map(async (path) => (await fetch(path)).text()))).toEqual(paths);
});

test("chunks come one by one, in order, binary whole, while the answer goes on", async () => {
  const gate = deferred<void>();
  const fetch = connect(
    () =>
      new Response(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(bytes(1));
            await gate.promise;
            for (let n = 0; n < 100; n += 1) controller.enqueue(bytes(n));
            controller.close();
          },
        }),
      ),
  );
  const reader = (await fetch("/")).body?.getReader();
  expect((await reader?.read())?.value).toEqual(bytes(1));
  gate.resolve();
  const rest: number[] = [];
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest.push(...part.value);
  expect(rest).toEqual(Array.from({ length: 100 }, (_, n) => n));
});

test("a reader that does not read slows its own stream: no more than the credit is made", async () => {
  let made = 0;
  const fetch = connect(
    () =>
      new Response(
        new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              made += 1;
              controller.enqueue(bytes(made % 256));
              if (made === 1000) controller.close();
            },
          },
          { highWaterMark: 0 },
        ),
      ),
  );
  const answer = await fetch("/");
  // Another call completes while the first one waits. By then the first has sent all that its credit allows.
  await (await fetch("/other")).body?.cancel();
  expect(made).toBeLessThanOrEqual(2 * firstCredit + 2);
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(900);
});

describe("abort", () => {
  test("before the call", async () => {
    const fetch = connect(() => new Response("never"));
    await expect(fetch("/", { signal: AbortSignal.abort(new Error("early")) })).rejects.toThrow("early");
  });

  test("before the head: the handler's signal aborts", async () => {
    const seen = deferred<Request>();
    const fetch = connect((request) => {
      seen.resolve(request);
      return new Promise<Response>(() => undefined);
    });
    const abort = new AbortController();
    const answer = fetch("/", { signal: abort.signal });
    const request = await seen.promise;
    abort.abort(new Error("changed my mind"));
    await expect(answer).rejects.toThrow("changed my mind");
    await expect.poll(() => request.signal.aborted).toBe(true);
  });

  test("after the head: the body fails with the reason, and the source is cancelled", async () => {
    const cancelled = deferred<void>();
    const fetch = connect(
      () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(bytes(1)), cancel: () => cancelled.resolve() })),
    );
    const abort = new AbortController();
    const reader = (await fetch("/", { signal: abort.signal })).body?.getReader();
    await reader?.read();
    abort.abort(new Error("enough"));
    await expect(reader?.read()).rejects.toThrow("enough");
    await cancelled.promise;
  });

  test("the reader cancels: the source is cancelled", async () => {
    const cancelled = deferred<void>();
    const fetch = connect(
      () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(bytes(1)), cancel: () => cancelled.resolve() })),
    );
    await (await fetch("/")).body?.cancel();
    await cancelled.promise;
  });
});

test("a handler that throws, and a body that fails, are errors and no silence", async () => {
  const fetch = connect((request) => {
    if (request.url.endsWith("/throws")) throw new Error("no handler");
    return new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes(1));
          controller.error(new Error("torn"));
        },
      }),
    );
  });
  await expect(fetch("/throws")).rejects.toThrow("no handler");
  await expect((await fetch("/")).arrayBuffer()).rejects.toThrow();
});

test.each([
  ["https://host/vibey/files", "/files"],
  ["https://host/vibey/file/doc-main.md", "/file/doc-main.md"],
  ["https://host/vibey/dialog/x/stream?view=parsed", "/dialog/x/stream?view=parsed"],
  ["https://host/vibey/deed", "/deed"],
  ["https://host/vibey/limits", "/limits"],
  ["https://host/vibey/keys/unlock", "/keys/unlock"],
  ["https://host/vibey/history?limit=1", "/history?limit=1"],
  ["https://host/vibey/sandbox", "/sandbox"],
  ["https://host/vibey/copy.zip?generation=2", "/copy.zip?generation=2"],
  ["https://host/vibey/recovery", "/recovery"],
  ["https://host/vibey/sandbox/worker.js", null],
  ["https://host/vibey/assets/index.js", null],
  ["https://host/vibey/filesystem", null],
  ["https://host/vibey/", null],
  ["https://host/files", null],
  ["https://other/vibey/files", null],
])("%s is for the router as %s", (url, path) => {
  expect(ownPath(new URL(url), new URL("https://host/vibey/"))).toBe(path);
});
