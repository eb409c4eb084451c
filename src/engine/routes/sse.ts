const encoder = new TextEncoder();

function encode(frame: unknown): Uint8Array {
  return encoder.encode(`data: ${JSON.stringify(frame)}\n\n`);
}

function answer(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

export interface FrameSink<F> {
  send(frame: F): void;
  end(): void;
}

/** A stream of frames that must all arrive, in order. `onLeave`: the reader has gone; what it read from goes on. */
export function frameStream<F>(): { readonly sink: FrameSink<F>; readonly response: () => Response } {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let over = false;
  const body = new ReadableStream<Uint8Array>({
    start(opened) {
      controller = opened;
    },
    cancel() {
      controller = null;
    },
  });
  return {
    sink: {
      send: (frame) => controller?.enqueue(encode(frame)),
      end() {
        if (over) return;
        over = true;
        controller?.close();
      },
    },
    response: () => answer(body),
  };
}

export interface Following<F> {
  /** The frames that bring a reader who knows nothing up to date. */
  start(): readonly F[];
  /** Calls `changed` with the frames of each change, or `end: true` after the last; returns the way to stop. */
  watch(changed: (frames: readonly F[], end?: boolean) => void): () => void;
}

/** Frames that a reader may have waiting before it is brought up to date by a new start instead. */
const patience = 256;

/**
 * A stream that follows something that changes. A reader who is slow misses no truth and costs no memory: what it had not
 * read yet is replaced by a new start.
 */
export function followStream<F>(following: Following<F>, greet = true): Response {
  let stop: (() => void) | undefined;
  let behind = false;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (greet) for (const frame of following.start()) controller.enqueue(encode(frame));
        stop = following.watch((frames, end = false) => {
          if (end) {
            for (const frame of frames) controller.enqueue(encode(frame));
            stop?.();
            controller.close();
          } else if (behind || (controller.desiredSize ?? 0) <= 0) behind = true;
          else for (const frame of frames) controller.enqueue(encode(frame));
        });
      },
      pull(controller) {
        if (!behind) return;
        behind = false;
        for (const frame of following.start()) controller.enqueue(encode(frame));
      },
      cancel() {
        stop?.();
      },
    },
    { highWaterMark: patience },
  );
  return answer(body);
}
