// Everything that runs inside QuickJS in addition to the program. It runs once, and its state is saved; each program gets a copy.
import "./web.js";
import { back, contexts, forget, kept } from "./async-context.js";
import { installStacks } from "./stack.js";
import { installFunction } from "./function.js";
import { installGlobals } from "./globals.js";
import { makeError } from "./errors.js";
import { deliver, hasTicks, nextTimer, runImmediates, runTicks, runTimers } from "./loop.js";
import { builtin, builtinNames, meta, requireFile } from "./modules.js";
import { portEvent } from "./message-channel.js";
import { processEvent } from "./other-processes.js";
import { netEvent } from "./net.js";
import { filesChanged } from "./fs-watch.js";
import { signalEvent } from "./signals.js";
import { previewEntries } from "./preview.js";
import { finish, start } from "./start.js";
import { shift } from "./stack.js";
import { unhandledRejection } from "./uncaught.js";
import { guard } from "./loop.js";

installGlobals();
installStacks();
installFunction();

let handled = 0;

/** Wraps functions that the host calls, so that they start without AsyncLocalStorage values. */
const fresh =
  (run) =>
  (...args) => {
    // If an async function continued by itself, its values are still set.
    forget();
    try {
      return run(...args);
    } finally {
      forget();
    }
  };

const machine = {
  taken: undefined,
  took(names) {
    machine.taken = { names };
  },
  makeError,
  contexts,
  kept,
  back,
  deliver: fresh(deliver),
  netEvent: fresh(netEvent),
  processEvent: fresh(processEvent),
  portEvent: fresh(portEvent),
  filesChanged: fresh(filesChanged),
  signalEvent: fresh((name) => guard(signalEvent, name)),
  hasTicks,
  nextTimer,
  runImmediates: fresh(runImmediates),
  runTicks: fresh(runTicks),
  runTimers: fresh(runTimers),
  builtin,
  builtinNames,
  requireFile,
  meta,
  start: fresh((settings) => guard(start, JSON.parse(settings))),
  finish: () => guard(finish),
  shift,
  previewEntries,
  guessed() {},
  unhandledRejection: (reason, promise) => guard(unhandledRejection, reason, promise),
  rejectionHandled: (promise) =>
    guard(() => {
      process.emitWarning(`Promise rejection was handled asynchronously (rejection id: ${++handled})`, "PromiseRejectionHandledWarning");
      process.emit("rejectionHandled", promise);
    }),
};

Object.defineProperty(globalThis, Symbol.for("vibey.node"), { value: machine });
