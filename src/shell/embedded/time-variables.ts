import type { Interpreter } from "./running-script.ts";

/** A script that was read has asked for them: they are not set before. */
let areRead = false;

/** For each node of a script that is read. */
export function noteTimeVariables(node: Readonly<Record<string, unknown>>): void {
  const name =
    node["type"] === "ParameterExpansion" ? node["parameter"] : node["type"] === "ArithVariable" ? node["name"] : node["content"];
  if (typeof name === "string" && name.includes("EPOCH")) areRead = true;
}

/** Before a command: `EPOCHSECONDS`, `EPOCHREALTIME`, and what was assigned to `SECONDS`, which just-bash counts from its start. */
export function setTimeVariables({ ctx: { state } }: Interpreter): void {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what just-bash keeps there.
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
