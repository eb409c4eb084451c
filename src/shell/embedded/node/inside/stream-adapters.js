// Converts between Node's streams and web streams.
import { Blob, toBuffer } from "./buffer.js";
import { nextTick } from "./loop.js";
import { Readable, Writable, finished } from "./stream.js";
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

function readableFromWeb(stream, options = {}) {
  const reader = stream.getReader();
  return new Readable({
    ...options,
    async read() {
      try {
        const { done, value } = await reader.read();
        if (done) this.push(null);
        else this.push(options.objectMode || typeof value === "string" ? value : toBuffer(value));
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
  });
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

function writableFromWeb(stream, options = {}) {
  const writer = stream.getWriter();
  return new Writable({
    ...options,
    write: (chunk, _encoding, callback) => settle(() => writer.write(chunk), callback),
    final: (callback) => settle(() => writer.close(), callback),
    destroy: (error, callback) =>
      error
        ? settle(
            () => writer.abort(error),
            () => callback(error),
          )
        : callback(),
  });
}

export function installStreamAdapters() {
  Object.assign(Readable, { toWeb: readableToWeb, fromWeb: readableFromWeb });
  Object.assign(Writable, { toWeb: writableToWeb, fromWeb: writableFromWeb });
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
