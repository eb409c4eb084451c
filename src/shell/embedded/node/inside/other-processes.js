// Other processes of this program, in the browser's own engine: worker threads, forks and other calls of `node`. The outside tells what they say.
import { notHere } from "./errors.js";
import { host } from "./host.js";
import { guard, nextId } from "./loop.js";
import { hearStdin } from "./standard-input.js";

let settings = null;
const heard = new Map();
/** What the parent said before anything of the program listened. */
const early = [];

/** What this process was started with; others are started with the same, but for what is their own. */
export function setSettings(given) {
  settings = given;
}
export const ownSettings = () => settings;

export function processEvent(id, event, value) {
  // Only the process that started this one writes to it.
  if (event === "stdin" || event === "stdinEnd") {
    if (id !== 0) return;
    guard(hearStdin, event === "stdin" ? value : null);
    return;
  }
  const listener = heard.get(id);
  if (event === "ended") heard.delete(id);
  if (listener) guard(listener, event, value);
  else if (id === 0) early.push([event, value]);
}

/** Whether this program can have processes beside it. */
export const hasProcesses = () => settings.engine === "browser";

/** Hears what the process says that started this one. */
export function hearParent(listener) {
  heard.set(0, listener);
  for (const [event, value] of early.splice(0)) guard(listener, event, value);
}

/** Starts a process; `listener` is called with what comes from it, and with `ended` last: its exit code, or the signal that ended it. */
export function startProcess(what, own, { words = null, piped = false, hasInput = false, data = null, ports = [] }, listener) {
  if (settings.engine !== "browser")
    throw notHere(`${what} need the browser's own engine, which a person turns on under Settings → Sandbox`);
  const id = nextId();
  heard.set(id, listener);
  host("process.start", id, JSON.stringify({ ...settings, ...own }), words, piped, hasInput, data, ports);
  host("hold", id, true);
  return {
    id,
    post: (kind, value, names = []) => host("process.post", id, kind, value, names),
    /** `signal`: the process may have a handler of it. */
    end: (signal = null) => host("process.end", id, signal),
    hold: (on) => host("hold", id, on),
  };
}

/** An error that no one took in a worker goes to its parent. False: this is no worker. */
export function tellParent(error) {
  if (settings?.thread === undefined) return false;
  try {
    host("process.post", 0, "error", error, []);
  } catch {
    // What it holds can't be copied; its words can.
    host("process.post", 0, "error", Object.assign(new Error(error?.message ?? String(error)), { stack: error?.stack }), []);
  }
  return true;
}
