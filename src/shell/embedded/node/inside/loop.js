// The event loop: ticks, timers and immediates. The host drives it, one phase at a time, and runs promise jobs between the phases.
import { bind, forget } from "./async-context.js";
import { host } from "./host.js";
import { invalidArgType } from "./errors.js";
import { uncaught } from "./uncaught.js";

const ticks = [];
const timers = new Map();
/** Callbacks of the file system that wait for the next turn, and those of this turn. */
const done = [];
let doneNow = null;
let immediates = [];
/** This turn's immediates. New ones run in the next turn. */
let batch = null;
let lastId = 0;
let lastOrder = 0;
const waiting = new Map();

export function guard(run, ...args) {
  try {
    return run(...args);
  } catch (error) {
    return uncaught(error);
  }
}

export function nextTick(callback, ...args) {
  if (typeof callback !== "function") throw invalidArgType("callback", "of type function", callback);
  const bound = bind(callback);
  ticks.push(() => bound(...args));
}

export const hasTicks = () => ticks.length > 0;

export function runTicks() {
  while (ticks.length > 0) {
    guard(ticks.shift());
    forget();
  }
}

export class Timeout {
  constructor(callback, delay, args, repeat) {
    const given = Number(delay);
    this._idleTimeout = given >= 1 && given <= 2 ** 31 - 1 ? Math.trunc(given) : 1;
    this._onTimeout = bind(callback);
    this._repeat = repeat ? this._idleTimeout : null;
    Object.defineProperty(this, "args", { value: args });
    Object.defineProperty(this, "id", { value: ++lastId });
    Object.defineProperty(this, "refed", { value: true, writable: true });
    this.refresh();
  }
  refresh() {
    Object.defineProperty(this, "due", { value: host("now") + this._idleTimeout, writable: true, configurable: true });
    Object.defineProperty(this, "order", { value: ++lastOrder, writable: true, configurable: true });
    timers.set(this.id, this);
    return this;
  }
  ref() {
    this.refed = true;
    return this;
  }
  unref() {
    this.refed = false;
    return this;
  }
  hasRef() {
    return this.refed;
  }
  close() {
    timers.delete(this.id);
    return this;
  }
  [Symbol.toPrimitive]() {
    return this.id;
  }
  [Symbol.dispose ?? Symbol("dispose")]() {
    this.close();
  }
}

function start(callback, delay, args, repeat) {
  if (typeof callback !== "function") throw invalidArgType("callback", "of type function", callback);
  return new Timeout(callback, delay, args, repeat);
}

export const setTimeout = (callback, delay, ...args) => start(callback, delay, args, false);
export const setInterval = (callback, delay, ...args) => start(callback, delay, args, true);
export function clearTimeout(timer) {
  if (timer instanceof Timeout) timer.close();
  else if (timer !== undefined && timer !== null) timers.delete(Number(timer));
}

class Immediate {
  constructor(callback, args) {
    this._onImmediate = bind(callback);
    Object.defineProperty(this, "args", { value: args });
    Object.defineProperty(this, "refed", { value: true, writable: true });
  }
  ref() {
    this.refed = true;
    return this;
  }
  unref() {
    this.refed = false;
    return this;
  }
  hasRef() {
    return this.refed;
  }
}

export function setImmediate(callback, ...args) {
  if (typeof callback !== "function") throw invalidArgType("callback", "of type function", callback);
  const immediate = new Immediate(callback, args);
  immediates.push(immediate);
  return immediate;
}
export function clearImmediate(immediate) {
  immediates = immediates.filter((other) => other !== immediate);
  if (batch !== null) batch = batch.filter((other) => other !== immediate);
}

/** The timer that is due first; null if none is due. */
function nextDue(now) {
  let found = null;
  for (const timer of timers.values())
    if (timer.due <= now && (found === null || timer.due < found.due || (timer.due === found.due && timer.order < found.order)))
      found = timer;
  return found;
}

let turnEnd = null;
/** Whether anything kept the program alive after this turn's timers; null before. If nothing did, unref'ed immediates don't run. */
let isAlive = null;
/** Grows with everything that runs in a turn of its own. */
let activity = 0;
export const activityCount = () => activity;

/** `held`: something outside this file keeps the program alive. */
export function runTimers(held) {
  turnEnd ??= host("now");
  const timer = nextDue(turnEnd);
  if (timer === null) {
    turnEnd = null;
    isAlive ??= held || keepsAlive();
    return false;
  }
  activity++;
  timers.delete(timer.id);
  guard(() => timer._onTimeout(...timer.args));
  if (timer._repeat !== null && timer._repeat !== undefined && !cleared(timer)) timer.refresh();
  return true;
}

const clearedIntervals = new WeakSet();
const cleared = (timer) => clearedIntervals.has(timer);
const close = Timeout.prototype.close;
Timeout.prototype.close = function () {
  clearedIntervals.add(this);
  return close.call(this);
};

/** Queues a callback of a finished file system operation. As in Node, it runs after the timers and before the immediates. */
export const calledBack = (callback) => void done.push(new Immediate(callback, []));

/** Runs one callback of the file system or one immediate; false: none is left in this turn. */
export function runImmediates() {
  if (isAlive === false) {
    isAlive = null;
    return false;
  }
  doneNow ??= done.splice(0);
  const first = doneNow.shift();
  if (first) {
    activity++;
    guard(first._onImmediate);
    return true;
  }
  if (batch === null) {
    batch = immediates;
    immediates = [];
  }
  if (batch.length === 0) {
    batch = null;
    doneNow = null;
    isAlive = null;
    return false;
  }
  const immediate = batch.shift();
  activity++;
  guard(() => immediate._onImmediate(...immediate.args));
  return true;
}

const isRefed = ({ refed }) => refed;

function keepsAlive() {
  if (done.length > 0 || immediates.some(isRefed)) return true;
  for (const { refed } of timers.values()) if (refed) return true;
  return false;
}

/** Milliseconds until the next timer is due; -1: no timer keeps the program alive. `held`: something else keeps it alive. */
export function nextTimer(held) {
  if (done.length > 0 || immediates.some(isRefed)) return 0;
  let due = Infinity;
  let refed = held;
  for (const timer of timers.values()) {
    due = Math.min(due, timer.due);
    refed ||= timer.refed;
  }
  return refed && due < Infinity ? Math.max(0, due - host("now")) : -1;
}

export const nextId = () => ++lastId;

/** Starts an asynchronous operation of the host; `settle(told, bytes)` receives the answer. Returns the id by which the host knows it. */
export function ask(operation, settle, ...args) {
  const id = ++lastId;
  waiting.set(id, bind(settle));
  host(operation, id, ...args);
  return id;
}

export function deliver(id, told, bytes) {
  const settle = waiting.get(id);
  waiting.delete(id);
  activity++;
  guard(settle, JSON.parse(told), bytes);
}
