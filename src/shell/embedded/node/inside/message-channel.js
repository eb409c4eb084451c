// Ports between parts of one program; there are no other threads to send to.
import { CustomEvent, Event, EventTarget, structuredClone } from "./web.js";
import { codeError } from "./errors.js";
import { setImmediate } from "./loop.js";

const secret = Symbol("port");

class MessageEvent extends Event {
  #init;
  constructor(type, init = {}) {
    super(type, init);
    this.#init = init;
  }
  get data() {
    return this.#init.data ?? null;
  }
  get origin() {
    return this.#init.origin ?? "";
  }
  get lastEventId() {
    return this.#init.lastEventId ?? "";
  }
  get source() {
    return this.#init.source ?? null;
  }
  get ports() {
    return this.#init.ports ?? [];
  }
}

/** An open port does not keep the program alive; a message on its way does. */
class MessagePort extends EventTarget {
  #other = null;
  #queue = [];
  #started = false;
  #closed = false;
  #handler = null;
  #listeners = new Map();
  constructor(key) {
    super();
    if (key !== secret) throw codeError(TypeError, "ERR_CONSTRUCT_CALL_INVALID", "Constructor cannot be called");
  }
  static join(one, two) {
    one.#other = two;
    two.#other = one;
  }
  /** The next message that waits, taken out. */
  static take(port) {
    return port.#queue.length === 0 ? undefined : { message: port.#queue.shift() };
  }
  postMessage(message, transfer) {
    const list = Array.isArray(transfer) ? transfer : (transfer?.transfer ?? []);
    const copy = structuredClone(message, { transfer: list });
    const to = this.#other;
    if (to === null || to.#closed) return;
    to.#queue.push(copy);
    to.#later();
  }
  #later() {
    if (!this.#started || this.#queue.length === 0) return;
    setImmediate(() => {
      const next = this.#closed ? undefined : MessagePort.take(this);
      if (next !== undefined) this.dispatchEvent(new MessageEvent("message", { data: next.message, source: null }));
    });
  }
  start() {
    if (this.#started) return;
    this.#started = true;
    for (let count = this.#queue.length; count > 0; count--) this.#later();
  }
  close() {
    for (const port of [this, this.#other]) {
      if (port === null || port.#closed) continue;
      port.#closed = true;
      setImmediate(() => port.dispatchEvent(new CustomEvent("close")));
    }
  }
  get onmessage() {
    return this.#handler;
  }
  set onmessage(handler) {
    if (this.#handler) this.removeEventListener("message", this.#handler);
    this.#handler = typeof handler === "function" ? handler : null;
    if (this.#handler === null) return;
    this.addEventListener("message", this.#handler);
    this.start();
  }
  on(type, listener, once = false) {
    const heard = (event) => listener(type === "message" ? event.data : event);
    this.#listeners.set(listener, heard);
    this.addEventListener(type, heard, { once });
    if (type === "message") this.start();
    return this;
  }
  once(type, listener) {
    return this.on(type, listener, true);
  }
  off(type, listener) {
    this.removeEventListener(type, this.#listeners.get(listener) ?? listener);
    return this;
  }
  addListener(type, listener) {
    return this.on(type, listener);
  }
  removeListener(type, listener) {
    return this.off(type, listener);
  }
  ref() {}
  unref() {}
}

class MessageChannel {
  constructor() {
    this.port1 = new MessagePort(secret);
    this.port2 = new MessagePort(secret);
    MessagePort.join(this.port1, this.port2);
  }
}

export const messages = { MessageChannel, MessageEvent, MessagePort };
export const receiveMessageOnPort = (port) => MessagePort.take(port);
