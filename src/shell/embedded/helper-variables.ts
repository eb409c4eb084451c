import { declaring } from "./many-words.ts";
import type { Interpreter } from "./running-script.ts";

/** Whether a call prints all variables. */
export function listsVariables(name: string, words: readonly unknown[]): boolean {
  if (name === "compgen") return true;
  return (name === "set" && words.length === 0) || (declaring.has(name) && words.every((word) => String(word).startsWith("-")));
}

/** Runs a call without the variables that this shell adds to a script. */
export async function withoutHelpers({ ctx: { state } }: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  const taken = ["env", "arrays"].map((field) => {
    const variables: unknown = Reflect.get(state, field);
    if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
    const helpers = [...variables].filter(([name]) => String(name).startsWith("__vibey_"));
    for (const [name] of helpers) variables.delete(name);
    return { variables, helpers };
  });
  try {
    return await run();
  } finally {
    for (const { variables, helpers } of taken) for (const [name, value] of helpers) variables.set(name, value);
  }
}
