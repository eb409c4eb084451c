import { isNode } from "./script-nodes.ts";

/** What must be added to the line numbers of a script, because just-bash's are too low. */
const offsets = new WeakMap<object, number>();

/** Call it before the script is rewritten. */
export function setLineOffset(script: unknown, offset: number): void {
  if (isNode(script) && offset > 0) offsets.set(script, offset);
}

export interface Lines {
  /** Called for each node of a script, before the nodes inside it. Returns a function to call after them; null: there is nothing to do then. */
  enter(node: Record<string, unknown>): (() => void) | null;
}

/** Corrects the lines of a script's nodes. just-bash counts the lines of a substitution from 1. */
export function countLines(script: object): Lines {
  let offset = offsets.get(script) ?? 0;
  let line = 1;
  return {
    enter(node) {
      if (typeof node["line"] === "number") {
        line = node["line"] + offset;
        if (offset > 0) node["line"] = line;
      }
      if (node["type"] !== "CommandSubstitution") return null;
      const before = offset;
      const around = line;
      offset = around - 1;
      return () => {
        offset = before;
        line = around;
      };
    },
  };
}
