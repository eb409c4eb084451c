import type { SharedKeys } from "../../../src/engine/vault/keys.ts";
import type { FromEngine, ToEngine, WorkerNews } from "../../../src/protocol/port/messages.ts";
import { openTab } from "../../../src/engine/tabs/tab.ts";
import { type FakeWorker, fakeOrigin, type Origin } from "./origin.ts";

/** The state of one call of a page. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  state: "open" | "head" | "done" | "failed";
  status: number;
  text: string;
  more(count: number): void;
  cancel(): void;
}

export interface Page {
  readonly name: string;
  worker: FakeWorker;
  readonly news: WorkerNews[];
  readonly asked: Asked[];
  /** Its worker's keys, once that worker is the engine. */
  readonly keys: () => SharedKeys | null;
  ask(method: string, path: string): Asked;
  close(): void;
}

/** One engine, from its start to the end of its worker. */
interface FakeEngine {
  readonly page: string;
  readonly worker: FakeWorker;
  /** Open streams: the path of each, and the controller that sends data on it. */
  readonly streams: Map<string, ReadableStreamDefaultController<Uint8Array>>;
}

export interface Tabs {
  readonly origin: Origin;
  readonly pages: Page[];
  readonly engines: FakeEngine[];
  /** How often each path ran, in all engines. */
  readonly ran: Map<string, number>;
  /** Pages whose engine can't start. */
  readonly broken: Set<string>;
  /** Messages that no page should ever get. */
  readonly faults: string[];
  /** Paths whose answers are held until the test releases them. */
  readonly held: Map<string, () => void>;
  open(name: string): Page;
  /** The engines that can still do something. */
  live(): FakeEngine[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Tabs of one origin with an engine that counts its work: `PUT` runs, `GET /stream…` streams, `PUT /slow…` waits for its release,
 * and `GET /halves…` waits after the first half of its body.
 */
export function openTabs(choose: (n: number) => number = () => 0): Tabs {
  const origin = fakeOrigin(choose);
  const engines: FakeEngine[] = [];
  const ran = new Map<string, number>();
  const broken = new Set<string>();
  const faults: string[] = [];
  const held = new Map<string, () => void>();
  const live = () => engines.filter(({ worker }) => !worker.ended && !worker.frozen);

  function open(name: string): Page {
    const asked: Asked[] = [];
    const news: WorkerNews[] = [];
    let keys: SharedKeys | null = null;
    let pending = new Map<number, Asked>();
    const cancelled = new Set<number>();
    let lastId = 0;
    let take: (message: ToEngine) => void = () => undefined;

    function start(): FakeWorker {
      const worker = origin.worker();
      pending = new Map();
      const own = pending;
      const tab = openTab({
        world: worker.world,
        name: "project",
        async start(shared) {
          if (broken.has(name)) throw new Error(`no engine in ${name}`);
          keys = shared;
          const engine: FakeEngine = { page: name, worker, streams: new Map() };
          engines.push(engine);
          return (request) => answer(engine, request);
        },
        tell(change) {
          news.push(change);
          if (change.kind !== "replaced") return;
          // Like the real page: pending calls fail, and a new worker starts.
          page.worker = start();
          for (const call of own.values()) call.state = "failed";
        },
        end: () => worker.end(),
      });
      const toWorker = tab.connect((message) => {
        if (!worker.ended) hear(own, message);
      });
      take = (message) => worker.message(() => toWorker(message));
      return worker;
    }

    function hear(own: Map<number, Asked>, message: FromEngine): void {
      const call = own.get(message.id);
      if (!call) {
        // Messages that were on their way when the call was canceled.
        if (!cancelled.has(message.id)) faults.push(`${name} hears of a call that has ended: ${JSON.stringify(message)}`);
        return;
      }
      if (message.kind === "head") {
        if (call.state !== "open") faults.push(`${name} has two heads of ${call.path}`);
        call.state = "head";
        call.status = message.status;
      } else if (message.kind === "chunk") {
        if (call.state !== "head") faults.push(`${name} has a chunk of ${call.path} before its head`);
        call.text += decoder.decode(message.bytes);
      } else {
        if (message.kind === "error") call.text = message.message;
        call.state = message.kind === "end" ? "done" : "failed";
        own.delete(message.id);
      }
    }

    const page: Page = {
      name,
      news,
      asked,
      keys: () => keys,
      worker: start(),
      ask(method, path) {
        lastId += 1;
        const id = lastId;
        const own = pending;
        const to = take;
        const call: Asked = {
          method,
          path,
          state: "open",
          status: 0,
          text: "",
          more: (count) => to({ kind: "more", id, count }),
          cancel() {
            cancelled.add(id);
            if (own.delete(id)) to({ kind: "cancel", id });
            call.state = "failed";
          },
        };
        asked.push(call);
        own.set(id, call);
        to({ kind: "request", id, method, path, headers: [], body: null });
        return call;
      },
      close() {
        page.worker.end();
        for (const call of asked) if (call.state === "open" || call.state === "head") call.state = "failed";
      },
    };
    pages.push(page);
    return page;
  }

  async function answer(engine: FakeEngine, request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    ran.set(path, (ran.get(path) ?? 0) + 1);
    if (path.startsWith("/slow")) {
      await new Promise<void>((resolve) => {
        held.set(path, resolve);
      });
    }
    if (path.startsWith("/halves")) {
      return new Response(
        new ReadableStream<Uint8Array>({
          async start(controller) {
            controller.enqueue(encoder.encode("one half"));
            await new Promise<void>((resolve) => {
              held.set(path, resolve);
            });
            controller.enqueue(encoder.encode(", the other half"));
            controller.close();
          },
        }),
      );
    }
    if (!path.startsWith("/stream")) return new Response(`${engine.page}${path}`);
    return new Response(
      new ReadableStream<Uint8Array>(
        {
          start(controller) {
            engine.streams.set(path, controller);
            controller.enqueue(encoder.encode("hello "));
          },
          cancel: () => void engine.streams.delete(path),
        },
        { highWaterMark: 1_000 },
      ),
      { headers: { "Content-Type": "text/event-stream" } },
    );
  }

  const pages: Page[] = [];
  return { origin, pages, engines, ran, broken, faults, held, open, live };
}

export function sayOnStreams(tabs: Tabs, text: string): void {
  for (const { streams } of tabs.live()) for (const stream of streams.values()) stream.enqueue(encoder.encode(text));
}
