// Other processes of this program, in the browser's own engine: worker threads, forks and other calls of `node`. The host delivers their messages.
import { notHere } from "./errors.js";
import { host } from "./host.js";
import { guard, nextId } from "./loop.js";
import { hearStdin } from "./standard-input.js";

let settings = null;
const heard = new Map();
/** The parent's messages from before the program listened. */
const early = [];

/** The settings of this process. Child processes get the same, except for what is their own. */
export function setSettings(given) {
  settings = given;
}
export const ownSettings = () => settings;

export function processEvent(id, event, value) {
  // Only the parent process writes to this process's stdin.
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

/** Whether this program can start other processes. */
export const hasProcesses = () => settings.engine === "browser";

/** Listens for messages of the parent process. */
export function hearParent(listener) {
  heard.set(0, listener);
  for (const [event, value] of early.splice(0)) guard(listener, event, value);
}

/** Starts a process. `listener` receives its events; the last one is `ended`, with the exit code or the signal that ended it. */
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
    /** `signal`: the process may have a handler for it. */
    end: (signal = null) => host("process.end", id, signal),
    hold: (on) => host("hold", id, on),
  };
}

/** Sends an uncaught error of a worker to its parent. False: this is not a worker. */
export function tellParent(error) {
  if (settings?.thread === undefined) return false;
  try {
    host("process.post", 0, "error", error, []);
  } catch {
    // The error's content can't be copied, but its message can.
    host("process.post", 0, "error", Object.assign(new Error(error?.message ?? String(error)), { stack: error?.stack }), []);
  }
  return true;
}
