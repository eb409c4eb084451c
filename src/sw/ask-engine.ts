import { portFetch } from "../protocol/port/fetch-over-port.ts";
import type { LendEngine } from "../app/pwa/messages.ts";

/** An open page of the app. */
export interface Page {
  postMessage(message: LendEngine, transfer: Transferable[]): void;
}

/** Milliseconds for a page to lend its engine, and for a complete response. A browser ends a service worker's responses after five minutes. */
export const patience = { lendMs: 1_500, answerMs: 120_000 };

const refusal = (status: number, error: string) => Response.json({ error }, { status, headers: { "Cache-Control": "no-store" } });

/** The response to a sender that may not call the router. */
export const forbidden = () => refusal(403, "Only the app's own page may ask this: no address typed or followed, no frame, no worker.");

/** A port to the engine of that page. Null if the page does not lend it in time. A late port is not used. */
function borrow(page: Page, ms: number): Promise<MessagePort | null> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      port1.close();
      resolve(null);
    }, ms);
    const lent = () => {
      clearTimeout(timer);
      resolve(port1);
    };
    port1.addEventListener("message", lent, { once: true });
    port1.start();
    page.postMessage({ kind: "lend-engine" }, [port2]);
  });
}

/**
 * Passes a request for the router to the engine of the page that sent it. Another page may have another project open, so none is asked instead: 503 if
 * the page doesn't lend its engine. Only responses that end are passed back. If the response is a stream, the call still takes place: a call that
 * changes something returns 202 and continues, a call that only reads returns 501.
 */
export async function askEngine(request: Request, path: string, page: Page, limits = patience): Promise<Response> {
  const port = await borrow(page, limits.lendMs);
  return port === null ? refusal(503, "This Vibey tab isn't responding.") : ask(request, path, port, limits.answerMs);
}

async function ask(request: Request, path: string, port: MessagePort, ms: number): Promise<Response> {
  const leave = new AbortController();
  const timer = setTimeout(() => leave.abort(new DOMException("the engine took too long", "TimeoutError")), ms);
  const done = () => {
    clearTimeout(timer);
    port.close();
  };
  const signal = AbortSignal.any([request.signal, leave.signal]);
  try {
    const response = await portFetch(port)(new Request(request, { signal }), path);
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return ending(response, done);
    await response.body?.cancel();
    done();
    return request.method === "GET"
      ? refusal(501, "A stream is not carried here. The fetch of the app's own page carries it.")
      : Response.json({ message: "Started. Read it with GET /dialog/:id." }, { status: 202 });
  } catch (error) {
    done();
    if (request.signal.aborted) throw error;
    return refusal(504, `Vibey didn't respond: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** The same response. `done` runs when its body has ended, in any way. */
function ending(response: Response, done: () => void): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done: ended, value } = await reader.read();
          if (!ended) return controller.enqueue(value);
          done();
          controller.close();
        } catch (error) {
          done();
          controller.error(error);
        }
      },
      async cancel(reason) {
        await reader.cancel(reason);
        done();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
