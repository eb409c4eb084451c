// Signals: the program receives those that it has handlers for; any other signal ends it.
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

/** The name of a signal given by name or number; undefined: no such signal. */
export function signalName(given) {
  if (typeof given === "string") return Object.hasOwn(signals, given) ? given : undefined;
  return Object.keys(signals).find((name) => signals[name] === given);
}

/** Tells the host which signals the program has handlers for. Handlers don't keep the program alive. */
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

/** Handles a signal. Its handler may have been removed in the meantime. */
export function signalEvent(name) {
  if (!process.emit(name, name, signals[name])) stop(128 + signals[name]);
}
