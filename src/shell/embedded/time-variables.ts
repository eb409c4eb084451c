import type { Interpreter } from "./running-script.ts";

/** Whether any parsed script uses these variables. Until then they are not set. */
let areRead = false;

/** Called for each node of a parsed script. */
export function noteTimeVariables(node: Readonly<Record<string, unknown>>): void {
  const name =
    node["type"] === "ParameterExpansion" ? node["parameter"] : node["type"] === "ArithVariable" ? node["name"] : node["content"];
  if (typeof name === "string" && name.includes("EPOCH")) areRead = true;
}

/**
 * Called before a command. Sets `EPOCHSECONDS` and `EPOCHREALTIME`, and applies an assignment to `SECONDS`, which just-bash counts from its start.
 */
export function setTimeVariables({ ctx: { state } }: Interpreter): void {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash stores these there.
  const given = (variables as Map<string, string>).get("SECONDS");
  if (given !== undefined) {
    variables.delete("SECONDS");
    Reflect.set(state, "startTime", Date.now() - (Number.parseInt(given, 10) || 0) * 1000);
  }
  if (!areRead) return;
  const now = Date.now();
  variables.set("EPOCHSECONDS", String(Math.floor(now / 1000)));
  variables.set("EPOCHREALTIME", (now / 1000).toFixed(6));
}
