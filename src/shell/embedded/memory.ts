import type { Interpreter } from "./running-script.ts";

/**
 * Limits the size of a shell's variables. just-bash limits a single text and the number of an array's elements, but not all of them together, which
 * could crash the tab.
 */
export interface MemoryGuard {
  /** Call it before each command. True: the script must end. It measures seldom enough to cost almost nothing. */
  isTooMuch(interpreter: Interpreter): boolean;
  /** The interpreter's script has ended, and its variables are gone. */
  forget(interpreter: Interpreter): void;
}

/** The maximum UTF-16 units of one interpreter's variables, and of those of all running interpreters together, such as jobs, which hold copies. */
export const mostVariables = 256_000_000;
const mostTogether = 3 * mostVariables;

/** Milliseconds between two measurements, or this many times the duration of the last one. */
const pause = 20;
const share = 20;

export function createMemoryGuard(now: () => number): MemoryGuard {
  const sizes = new Map<Interpreter, number>();
  let nextLook = 0;

  return {
    isTooMuch(interpreter) {
      const at = now();
      if (at < nextLook) return false;
      const size = sizeOf(interpreter.ctx.state);
      sizes.set(interpreter, size);
      nextLook = now() + Math.max(pause, share * (now() - at));
      let all = 0;
      for (const each of sizes.values()) all += each;
      return size > mostVariables || all > mostTogether;
    },
    forget: (interpreter) => void sizes.delete(interpreter),
  };
}

/** UTF-16 units of all texts in variables, arrays, scopes and input. Functions, files and the like are not counted. */
function sizeOf(state: object): number {
  const seen = new Set<object>();
  let size = 0;
  const visit = (value: unknown): void => {
    if (typeof value === "string") size += value.length;
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) for (const each of value) visit(each);
    else if (value instanceof Map) for (const each of value.values()) visit(each);
    else if (isPlain(value)) for (const each of Object.values(value)) visit(each);
  };
  for (const [name, value] of Object.entries(state)) if (name !== "functions") visit(value);
  return size;
}

function isPlain(value: object): boolean {
  const prototype = Reflect.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
