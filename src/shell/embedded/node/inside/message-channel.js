// Message ports. Both ends of a channel are here until one is sent to another process; from then on messages go through the shell.
import { cloned, Event, EventTarget, needsTransfer } from "./web.js";
import { codeError } from "./errors.js";
import { host } from "./host.js";
import { guard, nextId, setImmediate } from "./loop.js";

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

/** The ends here, by name, whose other end may be in another process. */
const ends = new Map();
/** The names of ends that were sent on. Messages that still arrive for them are forwarded. */
const sentOn = new Set();
const otherEnd = (name) => `${name.slice(0, -1)}${name.endsWith("0") ? "1" : "0"}`;

const listed = (transfer) => (Array.isArray(transfer) ? transfer : (transfer?.transfer ?? []));

/** The ports in a transfer list. Buffers are always copied, listed or not. */
function portsIn(list) {
  const ports = list.filter((each) => each instanceof MessagePort);
  if (ports.some((port) => MessagePort.isGone(port)))
    throw new DOMException("MessagePort in transfer list is already detached", "DataCloneError");
  return ports;
}

/** The names of the ports that are sent along with a packed message. */
const namesIn = ({ along = [] }) =>
  along.flatMap(({ name, waiting }) => [name, ...waiting.flatMap((each) => (each === null ? [] : namesIn(each)))]);

const newName = () => Array.from({ length: 2 }, () => Math.random().toString(36).slice(2)).join("");

/** The last entry from the other end. */
const closed = Symbol("closed");

/** A port keeps the program alive while it listens for messages, and so does a message that is on its way. */
class MessagePort extends EventTarget {
  #id = nextId();
  /** The other end, if both are here. */
  #other = null;
  /** This end's name between processes. */
  #name = null;
  /** Entries that were not delivered yet: `{ message, ports }` or `closed`. */
  #queue = [];
  #started = false;
  #over = false;
  #handlers = {};
  #heard = new Set();
  /** By type: the functions given to `on`, and the wrappers that are called for them. */
  #listeners = new Map();
  constructor(key) {
    super();
    if (key !== secret) throw codeError(TypeError, "ERR_CONSTRUCT_CALL_INVALID", "Constructor cannot be called");
  }
  /** Whether the port was closed or sent on. */
  static isGone(port) {
    return port.#over;
  }
  static join(one, two) {
    one.#other = two;
    two.#other = one;
  }
  /** Removes and returns the next waiting message. */
  static take(port) {
    return port.#queue.length === 0 || port.#queue[0] === closed ? undefined : { message: port.#queue.shift().message };
  }
  /** The new port `moved` takes over everything from the port. */
  static move(port, moved) {
    moved.#queue = port.#queue.splice(0);
    moved.#other = port.#other;
    moved.#name = port.#name;
    moved.#over = port.#over;
    if (port.#other !== null) port.#other.#other = moved;
    if (port.#name !== null) ends.set(port.#name, moved);
    port.#leave();
  }
  /** Sends the port to another process. Returns its name there and the undelivered entries. */
  static send(port) {
    if (port.#name === null) {
      const channel = newName();
      port.#name = `${channel}.0`;
      // If the other end was closed, there is none.
      if (port.#other !== null) {
        port.#other.#name = `${channel}.1`;
        ends.set(port.#other.#name, port.#other);
        port.#other.#other = null;
      }
    }
    ends.delete(port.#name);
    sentOn.add(port.#name);
    const sent = { name: port.#name, waiting: port.#queue.splice(0) };
    port.#leave();
    return sent;
  }
  static arrive(name, waiting) {
    const port = new MessagePort(secret);
    port.#name = name;
    port.#queue = waiting;
    ends.set(name, port);
    sentOn.delete(name);
    return port;
  }
  static hear(name, event, data) {
    const port = ends.get(name);
    if (port !== undefined) {
      port.#queue.push(event === "close" ? closed : unpacked(data));
      // This is already a turn of its own.
      guard(() => port.#next());
    } else if (event === "message" && sentOn.has(name)) host("port.post", name, data, namesIn(data));
  }
  #leave() {
    this.unref();
    this.#over = true;
    this.#other = null;
    this.#name = null;
  }
  postMessage(message, transfer) {
    const list = listed(transfer);
    if (list.includes(this)) throw new DOMException("Transfer list contains source port", "DataCloneError");
    if (this.#name !== null) {
      packed(message, list, (data, names) => host("port.post", otherEnd(this.#name), data, names));
      return;
    }
    const to = this.#other;
    const moved = new Map(portsIn(list).map((port) => [port, new MessagePort(secret)]));
    const copy = cloned(message, moved);
    for (const [port, fresh] of moved) MessagePort.move(port, fresh);
    if (to === null) return;
    to.#queue.push({ message: copy, ports: [...moved.values()] });
    setImmediate(() => to.#next());
  }
  /** Delivers the first waiting entry. */
  #next() {
    if (this.#queue[0] === closed) this.#close();
    else if (this.#started && this.#queue.length > 0) {
      const { message, ports } = this.#queue.shift();
      this.dispatchEvent(new MessageEvent("message", { data: message, source: null, ports }));
    }
  }
  #close() {
    if (this.#name !== null) ends.delete(this.#name);
    this.#leave();
    this.dispatchEvent(new Event("close"));
  }
  start() {
    if (this.#started || this.#over) return;
    this.#started = true;
    for (let count = this.#queue.length; count > 0; count--) setImmediate(() => this.#next());
  }
  close() {
    if (this.#over) return;
    if (this.#name !== null) host("port.close", this.#name);
    const other = this.#other;
    this.#queue = [closed];
    this.#other = null;
    setImmediate(() => this.#next());
    if (other === null) return;
    other.#other = null;
    other.#queue.push(closed);
    setImmediate(() => other.#next());
  }
  ref() {
    if (!this.#over) host("hold", this.#id, true);
  }
  unref() {
    host("hold", this.#id, false);
  }
  addEventListener(type, listener, options) {
    super.addEventListener(type, listener, options);
    if (type !== "message") return;
    this.#heard.add(listener);
    if (this.#heard.size > 1) return;
    this.ref();
    this.start();
  }
  removeEventListener(type, listener) {
    super.removeEventListener(type, listener);
    if (type !== "message" || !this.#heard.delete(listener) || this.#heard.size > 0) return;
    this.unref();
    this.#started = false;
  }
  #handler(type, handler) {
    if (this.#handlers[type]) this.removeEventListener(type, this.#handlers[type]);
    this.#handlers[type] = typeof handler === "function" ? handler : null;
    if (this.#handlers[type] !== null) this.addEventListener(type, handler);
  }
  get onmessage() {
    return this.#handlers.message ?? null;
  }
  set onmessage(handler) {
    this.#handler("message", handler);
  }
  get onclose() {
    return this.#handlers.close ?? null;
  }
  set onclose(handler) {
    this.#handler("close", handler);
  }
  get onmessageerror() {
    return this.#handlers.messageerror ?? null;
  }
  set onmessageerror(handler) {
    this.#handler("messageerror", handler);
  }
  on(type, listener, once = false) {
    const given = this.#listenersOf(type);
    if (given.has(listener)) return this;
    const heard = (event) => {
      if (once) given.delete(listener);
      listener.call(this, type === "message" ? event.data : event);
    };
    given.set(listener, heard);
    this.addEventListener(type, heard, { once });
    return this;
  }
  #listenersOf(type) {
    if (!this.#listeners.has(type)) this.#listeners.set(type, new Map());
    return this.#listeners.get(type);
  }
  once(type, listener) {
    return this.on(type, listener, true);
  }
  off(type, listener) {
    const given = this.#listenersOf(type);
    this.removeEventListener(type, given.get(listener) ?? listener);
    given.delete(listener);
    return this;
  }
  removeAllListeners(...types) {
    for (const type of types.length > 0 ? types : [...this.#listeners.keys()])
      for (const listener of this.#listenersOf(type).keys()) this.off(type, listener);
    return this;
  }
  listenerCount(type) {
    return this.#listenersOf(type).size + (this.#handlers[type] ? 1 : 0);
  }
  emit(type, value) {
    const count = this.listenerCount(type);
    this.dispatchEvent(type === "message" ? new MessageEvent(type, { data: value }) : new Event(type));
    return count > 0;
  }
  addListener(type, listener) {
    return this.on(type, listener);
  }
  removeListener(type, listener) {
    return this.off(type, listener);
  }
}
Object.defineProperty(MessagePort.prototype, needsTransfer, { value: true });

class MessageChannel {
  constructor() {
    this.port1 = new MessagePort(secret);
    this.port2 = new MessagePort(secret);
    MessagePort.join(this.port1, this.port2);
  }
}

/**
 * Sends a message to another process: `post` gets the data that `unpacked` takes there, and the names of the ports that are sent along. In the
 * message an empty object stands for each port.
 */
export function packed(value, transfer, post) {
  const names = [];
  const data = packInto(names, value, portsIn(listed(transfer)));
  try {
    post(data, names);
  } catch (error) {
    // The ports receive nothing more, so their other ends are closed.
    for (const name of names) {
      host("port.close", name);
      setImmediate(() => MessagePort.hear(otherEnd(name), "close"));
    }
    throw error;
  }
}

function packInto(names, value, ports) {
  if (ports.length === 0) return { value };
  const marks = new Map(ports.map((port) => [port, {}]));
  const copy = cloned(value, marks);
  const sent = ports.map((port) => MessagePort.send(port));
  names.push(...sent.map(({ name }) => name));
  const along = sent.map(({ name, waiting }) => ({
    name,
    waiting: waiting.map((each) => (each === closed ? null : packInto(names, each.message, each.ports))),
  }));
  return { value: copy, marks: [...marks.values()], along };
}

export function unpacked({ value, marks = [], along = [] }) {
  const ports = along.map(({ name, waiting }) =>
    MessagePort.arrive(
      name,
      waiting.map((each) => (each === null ? closed : unpacked(each))),
    ),
  );
  return { message: ports.length === 0 ? value : cloned(value, new Map(marks.map((mark, i) => [mark, ports[i]]))), ports };
}

export const messages = { MessageChannel, MessageEvent, MessagePort };
export const portEvent = (name, event, data) => MessagePort.hear(name, event, data);
export const receiveMessageOnPort = (port) => MessagePort.take(port);
