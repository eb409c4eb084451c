import type { Interpreter } from "./running-script.ts";
import { isOutput, prependOutput } from "./traps.ts";

/** What `<(…)` printed as errors, for each command that an interpreter is in, the innermost last. just-bash loses it. */
const errors = new WeakMap<Interpreter, string[]>();

/** A script that was read has a `<(…)`: before, no command is looked at. */
let areRead = false;

/** For each node of a script that is read. */
export function noteSubstitutions(node: Readonly<Record<string, unknown>>): void {
  if (node["type"] === "ProcessSubstitution") areRead = true;
}

/** Around a command: the errors of its `<(…)` come before its own, and its redirections are not theirs. */
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

/** Around the script of a `<(…)`. */
export async function keepingErrors(interpreter: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  const inside = errors.get(interpreter);
  const take = (output: unknown): void => {
    if (!isOutput(output) || inside === undefined || inside.length === 0) return;
    inside.push(`${inside.pop() ?? ""}${output.stderr}`);
    output.stderr = "";
  };
  try {
    const result = await run();
    const answer: unknown = isOutput(result) ? { ...result } : result;
    take(answer);
    return answer;
  } catch (error) {
    take(error);
    throw error;
  }
}
