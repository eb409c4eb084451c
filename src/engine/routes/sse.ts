const encoder = new TextEncoder();

/** The encoded bytes of each frame, so that a frame is encoded only once for all its readers. */
const encoded = new WeakMap<object, Uint8Array>();

function encode(frame: object): Uint8Array {
  const known = encoded.get(frame);
  if (known) return known;
  const bytes = encoder.encode(`data: ${JSON.stringify(frame)}\n\n`);
  encoded.set(frame, bytes);
  return bytes;
}

function answer(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

export interface FrameSink<F> {
  send(frame: F): void;
  end(): void;
  /** Ends the stream with an error instead of a normal end. */
  fail(error: unknown): void;
}

/**
 * A stream of frames that must all arrive, in order. `onLeave` is called if the reader leaves. The caller decides whether the work behind it
 * continues.
 */
export function frameStream<F extends object>(onLeave?: () => void): { readonly sink: FrameSink<F>; readonly response: () => Response } {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let over = false;
  const body = new ReadableStream<Uint8Array>({
    start(opened) {
      controller = opened;
    },
    cancel() {
      controller = null;
      onLeave?.();
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
      fail(error) {
        if (over) return;
        over = true;
        controller?.error(error);
      },
    },
    response: () => answer(body),
  };
}

export interface BoundedSink<F> extends Pick<FrameSink<F>, "send" | "end"> {
  /** Sends the frames of a start. They may exceed the limit of unread bytes: a reader that is still reading them isn't slow. */
  start(frames: readonly F[]): void;
}

/**
 * A stream of unsolicited frames. A reader with too many unread frames is cut off and can start again. `onLeave` is called when no one reads
 * anymore.
 */
export function boundedStream<F extends object>(onLeave: () => void): { readonly sink: BoundedSink<F>; readonly response: () => Response } {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let starting = false;
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
      },
      cancel() {
        controller = null;
        onLeave();
      },
    },
    { highWaterMark: patience.frames, size: (bytes) => sizeOfFrame(bytes, starting) },
  );
  return {
    sink: {
      start(frames) {
        starting = true;
        for (const frame of frames) controller?.enqueue(encode(frame));
        starting = false;
      },
      send(frame) {
        if (controller === null) return;
        // A single frame may be larger than the buffer limit.
        if ((controller.desiredSize ?? 0) > 0) return controller.enqueue(encode(frame));
        controller.error(new Error("The reader was too slow"));
        controller = null;
        onLeave();
      },
      end() {
        controller?.close();
        controller = null;
      },
    },
    response: () => answer(body),
  };
}

/**
 * A stream of frames that are created when the reader asks for them. If the reader leaves, `onLeave` is called, which must end what the generator
 * waits for, and then the generator ends. `idOf`: the SSE id from which a reader can resume the stream. Null if the frame has none.
 */
export function pulledStream<F extends object>(
  frames: AsyncGenerator<F>,
  onLeave?: () => void,
  idOf: (frame: F) => string | null = () => null,
): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await frames.next();
        if (done) return controller.close();
        const id = idOf(value);
        if (id !== null) controller.enqueue(encoder.encode(`id: ${id}\n`));
        controller.enqueue(encode(value));
      },
      async cancel() {
        onLeave?.();
        await frames.return(undefined);
      },
    },
    { highWaterMark: 4 },
  );
  return answer(body);
}

export interface Following<F> {
  /** The frames that bring a reader that knows nothing up to date. */
  start(): readonly F[];
  /** Calls `changed` with the frames of each change, and with `end: true` after the last. Returns a function that stops. */
  watch(changed: (frames: readonly F[], end?: boolean) => void): () => void;
}

/** The limit of unread frames, after which a reader gets a new start instead. */
const patience = { frames: 256, bytes: 1_000_000 };
/** How much of the limit a frame takes. A start may exceed the limit. */
const sizeOfFrame = (bytes: Uint8Array, isOfStart: boolean): number =>
  Math.max(1, isOfStart ? 0 : (bytes.length * patience.frames) / patience.bytes);

/**
 * A stream that follows changing data. A slow reader still ends up with the current state and costs no memory: its unread frames are replaced by
 * a new start.
 */
export function followStream<F extends object>(following: Following<F>, greet = true): Response {
  let stop: (() => void) | undefined;
  let behind = false;
  /** A reader that is still reading a start isn't slow. */
  let starting = false;
  const size = (bytes: Uint8Array) => sizeOfFrame(bytes, starting);
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (greet) begin(controller);
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
        begin(controller);
      },
      cancel() {
        stop?.();
      },
    },
    { highWaterMark: patience.frames, size },
  );
  return answer(body);

  function begin(controller: ReadableStreamDefaultController<Uint8Array>): void {
    starting = true;
    for (const frame of following.start()) controller.enqueue(encode(frame));
    starting = false;
  }
}
