import { asked } from "./provider-asked.ts";
import { deliver } from "./deliver.ts";
import { found } from "./recover.ts";
import type { Event, MachineOptions, State, Step } from "./model.ts";
import { put } from "./user-input.ts";
import { queued } from "./queued.ts";
import { call, callStart, ended, text } from "./respond.ts";
import { claimed, finished } from "./run.ts";
import { signals } from "./signals.ts";
import { stop } from "./stop.ts";
import { words } from "./user-commands.ts";

/**
 * The dialog's state machine, a pure function. From the dialog's state and an event it computes the new state, the edits of its file, and the
 * effects to perform after these are stored. It never reads a clock, a file or a setting.
 */
export function step(state: State, event: Event, options: MachineOptions): Step {
  switch (event.type) {
    case "put":
      return put(state, event, options);
    case "stop":
      return stop(state, event, options);
    case "deliver":
      return deliver(state, event);
    case "signals":
      return signals(state, event, options);
    case "words":
      return words(state, event);
    case "queued":
      return queued(state, event);
    case "asked":
      return asked(state, event);
    case "text":
      return text(state, event);
    case "call_start":
      return callStart(state, event);
    case "call":
      return call(state, event);
    case "ended":
      return ended(state, event, options);
    case "claimed":
      return claimed(state, event);
    case "finished":
      return finished(state, event, options);
    case "found":
      return found(state, event, options);
  }
}
