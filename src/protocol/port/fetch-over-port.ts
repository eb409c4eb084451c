import type { FromEngine, ToEngine } from "./messages.ts";

/** The `firstCredit` of the protocol. The page loads no module of the engine, so the number is repeated here. */
const credit = 8;

interface Pending {
  head(status: number, headers: readonly (readonly [string, string])[]): void;
  chunk(bytes: Uint8Array): void;
  end(): void;
  fail(error: Error): void;
}

interface PortFetch {
  (request: Request, path: string): Promise<Response>;
  /** No one answers any longer: every open call fails with this error. */
  close(error: Error): void;
}

/**
 * The caller's side of fetch over a port (`messages.ts`): a function that works like `fetch`. An abort before the head rejects with the signal's
 * reason. A later abort errors the body. Both tell the engine.
 */
export function portFetch(port: MessagePort): PortFetch {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let closed: Error | null = null;
  const send = (message: ToEngine, transfer: Transferable[] = []) => port.postMessage(message, transfer);

  port.addEventListener("message", ({ data }: MessageEvent<FromEngine>) => {
    const call = pending.get(data.id);
    if (!call) return;
    switch (data.kind) {
      case "head":
        call.head(data.status, data.headers);
        return;
      case "chunk":
        call.chunk(data.bytes);
        return;
      case "end":
        pending.delete(data.id);
        call.end();
        return;
      case "error":
        pending.delete(data.id);
        call.fail(new TypeError(data.message));
        return;
    }
  });
  port.start();

  async function fetchOver(request: Request, path: string): Promise<Response> {
    const { signal } = request;
    signal.throwIfAborted();
    const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer();
    signal.throwIfAborted();
    if (closed) throw closed;
    lastId += 1;
    const id = lastId;
    return new Promise<Response>((resolve, reject) => {
      let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
      let coming = credit;
      // With a high water mark of 0, the desired size is minus the number of chunks that wait for the reader.
      const askForMore = () => {
        const count = credit - coming + (stream?.desiredSize ?? 0);
        if (count <= 0) return;
        coming += count;
        send({ kind: "more", id, count });
      };
      const stop = (reason: unknown) => {
        if (!pending.delete(id)) return;
        send({ kind: "cancel", id });
        reject(reason);
        stream?.error(reason);
      };
      const onAbort = () => stop(signal.reason);
      const settled = () => signal.removeEventListener("abort", onAbort);
      signal.addEventListener("abort", onAbort, { once: true });
      pending.set(id, {
        head(status, headers) {
          const bodiless = status === 204 || status === 304;
          const readable = new ReadableStream<Uint8Array>(
            {
              start(controller) {
                stream = controller;
              },
              pull: askForMore,
              cancel: (reason) => {
                settled();
                stop(reason);
              },
            },
            { highWaterMark: 0 },
          );
          resolve(new Response(bodiless ? null : readable, { status, headers: headers.map(([name, value]) => [name, value]) }));
        },
        chunk(bytes) {
          coming -= 1;
          stream?.enqueue(bytes);
        },
        end() {
          settled();
          stream?.close();
        },
        fail(error) {
          settled();
          reject(error);
          stream?.error(error);
        },
      });
      send({ kind: "request", id, method: request.method, path, headers: [...request.headers], body }, body ? [body] : []);
    });
  }

  return Object.assign(fetchOver, {
    close(error: Error) {
      closed = error;
      port.close();
      const lost = [...pending.values()];
      pending.clear();
      for (const each of lost) each.fail(error);
    },
  });
}
