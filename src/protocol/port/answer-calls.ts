import { firstCredit, type FromEngine, type ToEngine } from "./messages.ts";

export type Handler = (request: Request) => Response | Promise<Response>;

interface Call {
  readonly abort: AbortController;
  credit: number;
  /** Wakes the sender that waits for credit. */
  wake: (() => void) | null;
}

/** The answering end of one connection, independent of the transport. */
export interface Answering {
  take(message: ToEngine): void;
  /** The caller is gone: cancels all calls of this connection. */
  cancelAll(): void;
}

/**
 * Answers calls with `handler`. A call's `cancel` aborts the request's signal and the response body. If a handler throws, the caller gets an `error`,
 * never silence.
 */
export function answerCalls(handler: Handler, send: (message: FromEngine, transfer?: Transferable[]) => void): Answering {
  const calls = new Map<number, Call>();

  function cancel(call: Call): void {
    call.abort.abort();
    call.wake?.();
  }

  async function answer(message: Extract<ToEngine, { kind: "request" }>, call: Call): Promise<void> {
    const { id } = message;
    const { signal } = call.abort;
    try {
      const response = await handler(
        new Request(`http://engine${message.path}`, {
          method: message.method,
          headers: message.headers.map(([name, value]) => [name, value]),
          body: message.body,
          signal,
        }),
      );
      if (signal.aborted) {
        await response.body?.cancel();
        return;
      }
      send({ kind: "head", id, status: response.status, headers: [...response.headers] });
      if (response.body) await sendBody(id, response.body, call);
      if (!signal.aborted) send({ kind: "end", id });
    } catch (error) {
      if (!signal.aborted) send({ kind: "error", id, message: error instanceof Error ? error.message : String(error) });
    }
  }

  async function sendBody(id: number, body: ReadableStream<Uint8Array>, call: Call): Promise<void> {
    const reader = body.getReader();
    const { signal } = call.abort;
    // A body that has already failed needs no cancel.
    signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined), { once: true });
    for (;;) {
      while (call.credit === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          call.wake = resolve;
        });
        call.wake = null;
      }
      if (signal.aborted) return;
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      call.credit -= 1;
      // A copy: the chunk may be a view on a buffer that its producer still uses, and a transfer would detach that buffer.
      const bytes = value.slice();
      send({ kind: "chunk", id, bytes }, [bytes.buffer]);
    }
  }

  return {
    take(message) {
      const call = calls.get(message.id);
      switch (message.kind) {
        case "request": {
          const opened: Call = { abort: new AbortController(), credit: firstCredit, wake: null };
          calls.set(message.id, opened);
          void answer(message, opened).finally(() => calls.delete(message.id));
          return;
        }
        case "more":
          if (!call) return;
          call.credit += message.count;
          call.wake?.();
          return;
        case "cancel":
          if (call) cancel(call);
          return;
      }
    },
    cancelAll() {
      for (const call of calls.values()) cancel(call);
    },
  };
}
