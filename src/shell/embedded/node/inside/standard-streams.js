import { host } from "./host.js";
import { Buffer } from "./buffer.js";
import { nextTick } from "./loop.js";
import { stdinWaits, takeStdin, whenStdin } from "./standard-input.js";
import { Readable, Writable } from "./stream.js";

function printer(fd) {
  const stream = new Writable({
    decodeStrings: false,
    // The stream never closes, so a wait for that would never end.
    emitClose: false,
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
  // As in Node, it can't be closed.
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
    let stopWaiting = null;
    let isOver = false;
    const take = () => {
      stopWaiting = null;
      if (stdinWaits()) return wait();
      for (;;) {
        const bytes = takeStdin(65_536);
        if (bytes.length === 0) isOver = true;
        const wantsMore = stream.push(bytes.length === 0 ? null : bytes);
        if (isOver || !wantsMore || stdinWaits()) return;
      }
    };
    const wait = () => {
      if (!isOver) stopWaiting ??= whenStdin(take);
    };
    const stream = new Readable({
      highWaterMark: 65_536,
      read() {
        if (stdinWaits()) wait();
        else take();
      },
      destroy(error, callback) {
        stopWaiting?.();
        stopWaiting = null;
        callback(error);
      },
    });
    // A paused stream reads nothing, so it does not keep the process alive.
    stream.on("pause", () => {
      stopWaiting?.();
      stopWaiting = null;
    });
    stream.on("resume", () => {
      if (stdinWaits()) wait();
    });
    stream.fd = 0;
    stream.ref = () => stream;
    stream.unref = () => stream;
    stream.setRawMode = undefined;
    return stream;
  },
};
