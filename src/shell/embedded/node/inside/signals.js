// Signals: the program is told of those that it has handlers for; any other one ends it.
import { systemError } from "./errors.js";
import { host } from "./host.js";
import { stop } from "./uncaught.js";

export const signals = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGCHLD: 17,
  SIGCONT: 18,
  SIGSTOP: 19,
  SIGTSTP: 20,
  SIGWINCH: 28,
};

/** A signal's name by that or by its number; undefined: there is none. */
export function signalName(given) {
  if (typeof given === "string") return Object.hasOwn(signals, given) ? given : undefined;
  return Object.keys(signals).find((name) => signals[name] === given);
}

/** Tells the outside which signals the program has handlers for. They don't keep it alive. */
export function followHandlers(process) {
  process.on("newListener", (type) => {
    if (signalName(type) !== type || process.listenerCount(type) > 0) return;
    if (type === "SIGKILL" || type === "SIGSTOP")
      throw Object.assign(systemError("EINVAL", "uv_signal_start"), { message: "uv_signal_start EINVAL" });
    host("signal.handle", type, true);
  });
  process.on("removeListener", (type) => {
    if (signalName(type) === type && process.listenerCount(type) === 0) host("signal.handle", type, false);
  });
}

/** A signal came. Its handler may have been taken away meanwhile. */
export function signalEvent(name) {
  if (!process.emit(name, name, signals[name])) stop(128 + signals[name]);
}
