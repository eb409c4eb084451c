// Web streams come from a package. Transformations of bytes are ours, on top of zlib and the decoder.
import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from "web-streams-polyfill";
import { TextDecoder, TextEncoder } from "./encoding.js";
import { codeError } from "./errors.js";
import zlib from "./zlib.js";

/* oxlint-disable no-underscore-dangle -- the package keeps the state of a stream in such properties. */
const ends = new WeakMap();

/** A promise that settles when a web stream is closed or fails. */
function closedOf(stream) {
  if (!ends.has(stream)) ends.set(stream, watchEnd(stream));
  return ends.get(stream);
}

function watchEnd(stream) {
  return new Promise((resolve, reject) => {
    let state = stream._state;
    const check = () => {
      if (state === "closed") resolve();
      // The error is set after the state.
      else if (state === "errored") queueMicrotask(() => reject(stream._storedError));
    };
    Object.defineProperty(stream, "_state", {
      configurable: true,
      enumerable: true,
      get: () => state,
      set(next) {
        state = next;
        check();
      },
    });
    check();
  });
}

/** The properties of a web stream that `finished`, `pipeline`, `addAbortSignal` and `isReadable` of the stream module read. */
const forStreamModule = (controller) => ({
  "webstream.isClosedPromise": (stream) => ({ promise: closedOf(stream) }),
  "webstream.controllerErrorFunction": (stream) => (error) => stream[controller].error(error),
  "stream.errored": (stream) => stream._state === "errored",
});
function define(Kind, getters) {
  for (const [name, read] of Object.entries(getters))
    Object.defineProperty(Kind.prototype, Symbol.for(`nodejs.${name}`), {
      configurable: true,
      get() {
        return read(this);
      },
    });
}
define(WritableStream, forStreamModule("_writableStreamController"));
define(ReadableStream, {
  ...forStreamModule("_readableStreamController"),
  "stream.readable": (stream) => stream._state === "readable",
  "stream.disturbed": (stream) => stream._disturbed,
});
/* oxlint-enable no-underscore-dangle */

/** Presents the two ends of a TransformStream as an object of another class. */
class Pair {
  #stream;
  constructor(transformer) {
    this.#stream = new TransformStream(transformer);
  }
  get readable() {
    return this.#stream.readable;
  }
  get writable() {
    return this.#stream.writable;
  }
}

class TextEncoderStream extends Pair {
  constructor() {
    const encoder = new TextEncoder();
    // Half of a surrogate pair waits for the other half.
    let high = "";
    super({
      transform(chunk, controller) {
        let text = high + String(chunk);
        high = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : "";
        if (high !== "") text = text.slice(0, -1);
        if (text !== "") controller.enqueue(encoder.encode(text));
      },
      flush(controller) {
        if (high !== "") controller.enqueue(encoder.encode(high));
      },
    });
  }
  get encoding() {
    return "utf-8";
  }
}

class TextDecoderStream extends Pair {
  #decoder;
  constructor(label, options) {
    const decoder = new TextDecoder(label, options);
    super({
      transform(chunk, controller) {
        const text = decoder.decode(chunk, { stream: true });
        if (text !== "") controller.enqueue(text);
      },
      flush(controller) {
        const text = decoder.decode();
        if (text !== "") controller.enqueue(text);
      },
    });
    this.#decoder = decoder;
  }
  get encoding() {
    return this.#decoder.encoding;
  }
  get fatal() {
    return this.#decoder.fatal;
  }
  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }
}

const bytesPlain = (buffer) => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);

function zlibPair(Kind) {
  const stream = new Kind();
  return {
    start(controller) {
      stream.on("data", (chunk) => controller.enqueue(bytesPlain(chunk)));
      stream.on("error", (error) => controller.error(new TypeError(error.message, { cause: error })));
    },
    transform: (chunk) =>
      new Promise((resolve, reject) => stream.write(chunk, (error) => (error ? reject(new TypeError(error.message)) : resolve()))),
    flush: () =>
      new Promise((resolve, reject) => {
        stream.once("end", resolve);
        stream.once("error", (error) => reject(new TypeError(error.message)));
        stream.end();
      }),
  };
}

function kindOf(format, kinds) {
  const Kind = kinds[format];
  if (Kind === undefined)
    throw codeError(
      TypeError,
      "ERR_INVALID_ARG_VALUE",
      `The argument 'format' must be one of: 'deflate', 'deflate-raw', 'gzip'. Received '${format}'`,
    );
  return Kind;
}

class CompressionStream extends Pair {
  constructor(format) {
    super(zlibPair(kindOf(format, { gzip: zlib.Gzip, deflate: zlib.Deflate, "deflate-raw": zlib.DeflateRaw })));
  }
}

class DecompressionStream extends Pair {
  constructor(format) {
    super(zlibPair(kindOf(format, { gzip: zlib.Gunzip, deflate: zlib.Inflate, "deflate-raw": zlib.InflateRaw })));
  }
}

export { ReadableStream };

export const webStreams = {
  ReadableStream,
  ReadableStreamDefaultReader,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableByteStreamController,
  ReadableStreamDefaultController,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  TextEncoderStream,
  TextDecoderStream,
  CompressionStream,
  DecompressionStream,
};
