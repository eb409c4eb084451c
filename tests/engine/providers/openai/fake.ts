/** A minimal server: its `fetch`, and the requests that it received. */
export interface Fake {
  readonly fetch: typeof fetch;
  readonly asked: readonly { readonly url: string; readonly headers: Headers; readonly body: Body }[];
}

interface Body {
  readonly [field: string]: unknown;
  readonly messages?: readonly { readonly role: string }[];
}

export function fake(answer: (body: Body, url: string) => Response | Promise<Response>): Fake {
  const asked: { url: string; headers: Headers; body: Body }[] = [];
  return {
    asked,
    fetch(input, init) {
      const url = input instanceof Request ? input.url : input.toString();
      const body = (typeof init?.body === "string" ? JSON.parse(init.body) : {}) as Body;
      asked.push({ url, headers: new Headers(init?.headers), body });
      return Promise.resolve(answer(body, url));
    },
  };
}

export function refusing(status: number, error: unknown): Response {
  return Response.json(error, { status });
}

/** A stream of Chat Completions that says `text`. */
export function chatSaying(text: string, usage: object | null = null): Response {
  const counted = usage === null ? "" : `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
  const said = `data: {"choices":[{"delta":{"content":${JSON.stringify(text)}},"finish_reason":"stop"}]}\n\n`;
  return streaming(`${said}${counted}data: [DONE]\n\n`);
}

/** A stream of Responses that says `text`. */
export function responsesSaying(text: string): Response {
  return streaming(
    [
      { type: "response.output_text.delta", item_id: "m", delta: text },
      { type: "response.completed", response: {} },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(""),
  );
}

/** A streamed body in these pieces. */
export function streaming(...pieces: readonly (string | Uint8Array)[]): Response {
  const left = pieces.map((piece) => (typeof piece === "string" ? new TextEncoder().encode(piece) : piece));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}
