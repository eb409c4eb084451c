import { isNode } from "./script-nodes.ts";

/** By how much the lines of a script are higher than just-bash counts them. */
const offsets = new WeakMap<object, number>();

/** Before the script is rewritten. */
export function setLineOffset(script: unknown, offset: number): void {
  if (isNode(script) && offset > 0) offsets.set(script, offset);
}

export interface Lines {
  /** For each node of a script, before those within it. Returns what ends it; null: nothing has to be done. */
  enter(node: Record<string, unknown>): (() => void) | null;
}

/** Gives the nodes of a script their lines. just-bash counts those of a substitution from 1. */
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
