import EventEmitter from "./events.js";
import { codeError, notHere } from "./errors.js";
import { nextTick } from "./loop.js";
import stringDecoder from "string_decoder/";

export class Interface extends EventEmitter {
  #waiting = [];
  #lines = [];
  #left = "";
  #decoder = new stringDecoder.StringDecoder("utf8");
  #ended = false;
  #asked = null;
  constructor(input, output) {
    super();
    const options = input?.input || input?.output !== undefined ? input : { input, output };
    this.input = options.input;
    this.output = options.output;
    this.terminal = false;
    this.line = "";
    this.closed = false;
    this.prompted = options.prompt ?? "> ";
    this.onData = (chunk) => this.#take(typeof chunk === "string" ? chunk : this.#decoder.write(chunk));
    this.onEnd = () => {
      const rest = this.#left + this.#decoder.end();
      this.#left = "";
      if (rest !== "") this.#line(rest);
      this.#ended = true;
      this.close();
    };
    this.input.on("data", this.onData);
    this.input.on("end", this.onEnd);
    options.signal?.addEventListener("abort", () => this.close(), { once: true });
  }
  #take(text) {
    const pieces = (this.#left + text).split(/\r\n|\n|\r(?!$)/);
    this.#left = pieces.pop();
    for (const piece of pieces) this.#line(piece);
  }
  #line(text) {
    if (this.closed) return;
    if (this.#asked) {
      const asked = this.#asked;
      this.#asked = null;
      asked(text);
      return;
    }
    if (this.reading) this.#lines.push(text);
    this.emit("line", text);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
  question(query, optionsOrCallback, maybeCallback) {
    const callback = typeof optionsOrCallback === "function" ? optionsOrCallback : maybeCallback;
    if (this.closed) throw codeError(Error, "ERR_USE_AFTER_CLOSE", "readline was closed");
    this.output?.write(query);
    this.#asked = callback;
    this.input.resume();
  }
  setPrompt(prompt) {
    this.prompted = prompt;
  }
  getPrompt() {
    return this.prompted;
  }
  prompt() {
    this.output?.write(this.prompted);
    this.input.resume();
  }
  write() {
    throw notHere("there is no terminal here to write into");
  }
  pause() {
    this.input.pause();
    this.emit("pause");
    return this;
  }
  resume() {
    this.input.resume();
    this.emit("resume");
    return this;
  }
  close() {
    if (this.closed) return;
    this.closed = true;
    this.input.removeListener("data", this.onData);
    this.input.removeListener("end", this.onEnd);
    this.input.pause();
    this.emit("close");
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
  [Symbol.dispose ?? Symbol("dispose")]() {
    this.close();
  }
  async *[Symbol.asyncIterator]() {
    this.reading = true;
    try {
      for (;;) {
        while (this.#lines.length > 0) yield this.#lines.shift();
        if (this.closed || this.#ended) return;
        await new Promise((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      this.close();
    }
  }
}

const customPromisify = Symbol.for("nodejs.util.promisify.custom");
Object.defineProperty(Interface.prototype.question, customPromisify, {
  value(query, options) {
    return new Promise((resolve) => this.question(query, options, resolve));
  },
});

class PromisesInterface extends Interface {
  question(query) {
    return new Promise((resolve, reject) => {
      try {
        super.question(query, resolve);
      } catch (error) {
        reject(error);
      }
    });
  }
}

const moved =
  (code) =>
  (stream, ...args) => {
    const callback = args.find((given) => typeof given === "function");
    stream.write(typeof code === "function" ? code(...args) : code);
    if (callback) nextTick(callback);
    return true;
  };

export const promises = {
  Interface: PromisesInterface,
  createInterface: (input, output) => new PromisesInterface(input, output),
  Readline: class Readline {
    constructor() {
      throw notHere("there is no terminal here");
    }
  },
};

export default {
  Interface,
  createInterface: (input, output) => new Interface(input, output),
  clearLine: moved((direction) => (direction < 0 ? "\u001b[1K" : direction > 0 ? "\u001b[0K" : "\u001b[2K")),
  clearScreenDown: moved("\u001b[0J"),
  cursorTo: moved((x, y) => (typeof y === "number" ? `\u001b[${y + 1};${x + 1}H` : `\u001b[${x + 1}G`)),
  moveCursor: moved(
    (dx, dy) => `${dx < 0 ? `\u001b[${-dx}D` : dx > 0 ? `\u001b[${dx}C` : ""}${dy < 0 ? `\u001b[${-dy}A` : dy > 0 ? `\u001b[${dy}B` : ""}`,
  ),
  // There is no keyboard, so there are no events.
  emitKeypressEvents() {},
  promises,
};
