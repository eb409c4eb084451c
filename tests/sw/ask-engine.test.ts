import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { soon } from "../soon.ts";
import type { ToEngine } from "../../src/protocol/port/messages.ts";
import { answerCalls, type Handler } from "../../src/protocol/port/answer-calls.ts";
import { askEngine, type Page, patience } from "../../src/sw/ask-engine.ts";

const ports: MessagePort[] = [];
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  for (const port of ports.splice(0)) port.close();
});

/** A page that passes the port to an engine with this handler, as page and worker do. */
function lending(handler: Handler): Page {
  return {
    postMessage(message, transfer) {
      expect(message).toEqual({ kind: "lend-engine" });
      const port = transfer[0] as MessagePort;
      ports.push(port);
      const answering = answerCalls(handler, (each, moved = []) => port.postMessage(each, moved));
      port.addEventListener("message", ({ data }: MessageEvent<ToEngine>) => answering.take(data));
      port.start();
      port.postMessage({ kind: "lent" });
    },
  };
}

/** A page that is frozen, or too old to know the question, so that the time runs out. */
const silent: Page = { postMessage: () => queueMicrotask(() => vi.advanceTimersByTime(patience.lendMs)) };

const request = (path: string, init?: RequestInit) => new Request(`https://host.example/vibey${path}`, init);
const error = async (response: Response) => [response.status, ((await response.json()) as { error: string }).error];
const events = (leave: () => void) =>
  new Response(new ReadableStream<Uint8Array>({ cancel: leave }, { highWaterMark: 0 }), {
    headers: { "Content-Type": "text/event-stream" },
  });

describe("a request of an unpatched client", () => {
  it("goes to the engine with its method, path, query and body, and the answer comes back", async () => {
    const page = lending(async (asked) => {
      const { pathname, search } = new URL(asked.url);
      return Response.json([asked.method, pathname + search, await asked.text()], { status: 201, headers: { ETag: '"1"' } });
    });
    const answer = await askEngine(request("/file/doc-a.md?x=1", { method: "POST", body: "text" }), "/file/doc-a.md?x=1", page);
    expect([answer.status, answer.headers.get("ETag")]).toEqual([201, '"1"']);
    expect(await answer.json()).toEqual(["POST", "/file/doc-a.md?x=1", "text"]);
  });

  it("gets a body of many pieces whole, and one that is empty", async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251);
    const page = lending(({ url }) =>
      url.endsWith("none") ? new Response(null, { status: 204 }) : new Response(new Blob([bytes]).stream()),
    );
    const whole = await (await askEngine(request("/deed/big"), "/deed/big", page)).arrayBuffer();
    expect(Buffer.from(whole).equals(bytes)).toBe(true);
    expect((await askEngine(request("/deed/none"), "/deed/none", page)).body).toBeNull();
  });

  it("is refused with 503 when its page does not lend its engine", async () => {
    expect(await error(await askEngine(request("/files"), "/files", silent))).toEqual([503, "This Vibey tab isn't responding."]);
  });

  it("is never begun by a page that lends too late", async () => {
    let begun = false;
    const engine = lending(() => {
      begun = true;
      return new Response();
    });
    let lend = () => {};
    const late: Page = {
      postMessage(message, transfer) {
        lend = () => engine.postMessage(message, transfer);
        silent.postMessage(message, []);
      },
    };
    expect((await askEngine(request("/files", { method: "POST", body: "x" }), "/files", late)).status).toBe(503);
    lend();
    await soon(() => expect(ports).toHaveLength(1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(false);
  });

  it("is refused with 504 when the engine stays silent, or fails", async () => {
    const stuck = lending(() => {
      queueMicrotask(() => vi.advanceTimersByTime(patience.answerMs));
      return new Promise<Response>(() => {});
    });
    expect(await error(await askEngine(request("/files"), "/files", stuck))).toEqual([
      504,
      "Vibey didn't respond: the engine took too long.",
    ]);
    const failing = lending(() => {
      throw new Error("the disk is gone");
    });
    expect(await error(await askEngine(request("/files"), "/files", failing))).toEqual([504, "Vibey didn't respond: the disk is gone."]);
  });

  it("rejects with the reason when its sender leaves", async () => {
    const leave = new AbortController();
    const page = lending(() => {
      leave.abort(new Error("left"));
      return new Promise<Response>(() => {});
    });
    await expect(askEngine(request("/files", { signal: leave.signal }), "/files", page)).rejects.toThrow();
  });
});

describe("a stream is not carried", () => {
  it("GET: 501, and its reader has left", async () => {
    let left = false;
    const page = lending(() => events(() => (left = true)));
    const [status, text] = await error(await askEngine(request("/events"), "/events", page));
    expect(status).toBe(501);
    expect(text).toContain("The fetch of the app's own page carries it");
    await soon(() => expect(left).toBe(true));
  });

  it("a call that changes something has begun: 202", async () => {
    const answer = await askEngine(
      request("/dialog", { method: "PUT", body: "{}" }),
      "/dialog",
      lending(() => events(() => undefined)),
    );
    expect(answer.status).toBe(202);
  });
});
