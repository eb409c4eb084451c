import type { State, Step } from "./model.ts";

/** Ignores an event of a response that is no longer awaited. */
export function ignore(state: State): Step {
  return { ok: true, state, ops: [], effects: [], durability: "relaxed" };
}
