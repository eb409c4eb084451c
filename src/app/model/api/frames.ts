import { createParser } from "eventsource-parser";

export const isEventStream = (response: Response) => (response.headers.get("Content-Type") ?? "").startsWith("text/event-stream");

/** The frames of a Server-Sent Events body, in order: each event's data, parsed as JSON. Ends with the body; throws if the body fails. */
export async function* frames<T>(response: Response): AsyncGenerator<T> {
  if (response.body === null) return;
  let ready: T[] = [];
  const parser = createParser({
    onEvent: (event) => {
      const frame: T = JSON.parse(event.data);
      ready.push(frame);
    },
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      parser.feed(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      const batch = ready;
      ready = [];
      yield* batch;
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
