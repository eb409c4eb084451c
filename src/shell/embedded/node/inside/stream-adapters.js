// Converts between Node's streams and web streams.
import { Blob, toBuffer } from "./buffer.js";
import { nextTick } from "./loop.js";
import { Duplex, Readable, Writable, finished } from "./stream.js";
import { ReadableStream, webStreams } from "./web-streams.js";

const { WritableStream } = webStreams;

/** Reports the outcome to a callback in Node's style. */
async function settle(run, heard) {
  let failure = null;
  try {
    await run();
  } catch (error) {
    failure = error;
  }
  nextTick(heard, failure);
}

function readableToWeb(readable) {
  let chunks = null;
  return new ReadableStream(
    {
      async pull(controller) {
        chunks ??= readable[Symbol.asyncIterator]();
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => void readable.destroy(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The methods of a `Readable` that reads a web stream. */
function readsFrom(stream, { objectMode }) {
  const reader = stream.getReader();
  return {
    async read() {
      try {
        const { done, value } = await reader.read();
        if (done) this.push(null);
        else this.push(objectMode || typeof value === "string" ? value : toBuffer(value));
      } catch (error) {
        this.destroy(error);
      }
    },
    destroy(error, callback) {
      settle(
        async () => reader.cancel(error),
        (later) => callback(error ?? later),
      );
    },
  };
}

function writableToWeb(writable) {
  const ended = new Promise((resolve, reject) => finished(writable, { readable: false }, (error) => (error ? reject(error) : resolve())));
  // The writer learns of the error through its write.
  ended.catch(() => {});
  return new WritableStream({
    write: (chunk) => new Promise((resolve, reject) => writable.write(chunk, (error) => (error ? reject(error) : resolve()))),
    close() {
      writable.end();
      return ended;
    },
    abort: (reason) => void writable.destroy(reason),
  });
}

/** The methods of a `Writable` that writes to a web stream. */
function writesTo(stream) {
  const writer = stream.getWriter();
  return {
    write: (chunk, _encoding, callback) => settle(() => writer.write(chunk), callback),
    final: (callback) => settle(() => writer.close(), callback),
    destroy: (error, callback) =>
      error
        ? settle(
            () => writer.abort(error),
            () => callback(error),
          )
        : callback(),
  };
}

const readableFromWeb = (stream, options = {}) => new Readable({ ...options, ...readsFrom(stream, options) });
const writableFromWeb = (stream, options = {}) => new Writable({ ...options, ...writesTo(stream) });

function duplexFromWeb({ readable, writable }, options = {}) {
  const source = readsFrom(readable, options);
  const sink = writesTo(writable);
  return new Duplex({
    ...options,
    ...source,
    ...sink,
    destroy: (error, callback) => sink.destroy(error, () => source.destroy(error, callback)),
  });
}

const duplexToWeb = (duplex) => ({ readable: readableToWeb(duplex), writable: writableToWeb(duplex) });

export function installStreamAdapters() {
  Object.assign(Readable, { toWeb: readableToWeb, fromWeb: readableFromWeb });
  Object.assign(Writable, { toWeb: writableToWeb, fromWeb: writableFromWeb });
  Object.assign(Duplex, { toWeb: duplexToWeb, fromWeb: duplexFromWeb });
  Object.defineProperty(Blob.prototype, "stream", {
    configurable: true,
    writable: true,
    value: function stream() {
      return new ReadableStream({
        start: async (controller) => {
          const bytes = await this.bytes();
          if (bytes.length > 0) controller.enqueue(bytes);
          controller.close();
        },
      });
    },
  });
}
