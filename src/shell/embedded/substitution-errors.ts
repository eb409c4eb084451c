import { asBytes } from "./byte-output.ts";
import type { Interpreter } from "./running-script.ts";
import { isOutput, prependOutput } from "./traps.ts";

/** The errors that `<(…)` printed, for each running command of an interpreter, the innermost last. just-bash loses them. */
const errors = new WeakMap<Interpreter, string[]>();

/** Whether any parsed script contains a `<(…)`. Until then commands need no wrapping. */
let areRead = false;

/** Called for each node of a parsed script. */
export function noteSubstitutions(node: Readonly<Record<string, unknown>>): void {
  if (node["type"] === "ProcessSubstitution") areRead = true;
}

/** Wraps a command: the errors of its `<(…)` come before its own, and its redirections don't apply to them. */
export function withSubstitutionErrors(interpreter: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  return areRead ? withErrors(interpreter, run) : run();
}

async function withErrors(interpreter: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  const inside = errors.get(interpreter) ?? [];
  errors.set(interpreter, inside);
  inside.push("");
  let result: unknown;
  try {
    result = await run();
  } catch (error) {
    const stderr = inside.pop() ?? "";
    if (stderr !== "" && isOutput(error)) prependOutput(error, { stdout: "", stderr });
    throw error;
  }
  const stderr = inside.pop() ?? "";
  return stderr !== "" && isOutput(result) ? { ...result, stderr: stderr + result.stderr } : result;
}

/** Wraps the script of a `<(…)`. */
export async function keepingErrors(interpreter: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  const inside = errors.get(interpreter);
  const take = (output: unknown): void => {
    if (!isOutput(output) || inside === undefined || inside.length === 0) return;
    inside.push(`${inside.pop() ?? ""}${output.stderr}`);
    output.stderr = "";
  };
  try {
    const result = await run();
    if (!isOutput(result)) return result;
    // just-bash stores the bytes in a file.
    const answer = asBytes({ ...result });
    take(answer);
    return answer;
  } catch (error) {
    take(error);
    throw error;
  }
}
