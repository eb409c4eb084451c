import type { State, Step } from "./model.ts";

/** What comes from a response that is no longer waited for. */
export function ignore(state: State): Step {
  return { ok: true, state, ops: [], effects: [], durability: "relaxed" };
}
