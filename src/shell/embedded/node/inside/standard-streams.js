import { host } from "./host.js";
import { Buffer, toBuffer } from "./buffer.js";
import { nextTick } from "./loop.js";
import { Readable, Writable } from "./stream.js";

let stdinRead = false;

/** All that was given on stdin; empty from the second time on, as a pipe is. */
export function takeStdin() {
  if (stdinRead) return Buffer.alloc(0);
  stdinRead = true;
  return toBuffer(host("stdin"));
}

function printer(fd) {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, encoding, callback) {
      print(fd, chunk, encoding);
      callback();
    },
  });
  const throughQueue = stream.write.bind(stream);
  stream.write = (chunk, encoding, callback) => {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return throughQueue(chunk, encoding, callback);
    print(fd, chunk, typeof encoding === "string" ? encoding : undefined);
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof done === "function") nextTick(done, null);
    return true;
  };
  // Node's can't be closed either.
  stream.end = (chunk, encoding, callback) => {
    if (chunk !== undefined && chunk !== null && typeof chunk !== "function") stream.write(chunk, encoding);
    const done = [chunk, encoding, callback].find((given) => typeof given === "function");
    if (done) nextTick(done);
    nextTick(() => stream.emit("finish"));
    return stream;
  };
  stream._destroy = (error, callback) => callback(error);
  stream.fd = fd;
  stream._type = "pipe";
  stream.columns = undefined;
  stream._isStdio = true;
  stream.destroySoon = stream.destroy;
  stream.getColorDepth = () => 1;
  stream.hasColors = () => false;
  return stream;
}

function print(fd, chunk, encoding) {
  if (typeof chunk !== "string") host("print", fd, chunk);
  else if (encoding === undefined || encoding === null || encoding === "buffer" || /^utf-?8$/i.test(encoding)) host("print", fd, chunk);
  else host("print", fd, Buffer.from(chunk, encoding));
}

export const standardStreams = {
  stdout: () => printer(1),
  stderr: () => printer(2),
  stdin() {
    const stream = new Readable({
      highWaterMark: 65_536,
      read() {
        const bytes = takeStdin();
        for (let at = 0; at < bytes.length; at += 65_536) stream.push(bytes.subarray(at, at + 65_536));
        stream.push(null);
      },
    });
    stream.fd = 0;
    stream.ref = () => stream;
    stream.unref = () => stream;
    stream.setRawMode = undefined;
    return stream;
  },
};
