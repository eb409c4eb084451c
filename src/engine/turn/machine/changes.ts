import { isJsonObject, stringifyJson } from "../../../dialog/json.ts";
import type { Call, Json, JsonObject } from "../../../dialog/model.ts";

/**
 * The result of a call as the agent reads it. Where the user approved other arguments, it begins with those that are others: the agent's own
 * stay in the call. An argument that was left out is null.
 */
export function sayingChanges({ input, changed }: Pick<Call, "input" | "changed">, result: Json): Json {
  if (changed === undefined || !isJsonObject(result)) return result;
  return { changedByUser: differences(input, changed), ...result };
}

function differences(before: JsonObject, after: JsonObject): JsonObject {
  // An agent can name an argument as what every object has, such as `toString`.
  const own = (input: JsonObject, name: string): Json => (Object.hasOwn(input, name) ? (input[name] ?? null) : null);
  const same = (name: string) =>
    Object.hasOwn(before, name) && Object.hasOwn(after, name) && stringifyJson(own(before, name)) === stringifyJson(own(after, name));
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...names].filter((name) => !same(name)).map((name) => [name, own(after, name)]));
}

/** Whether these are the very same arguments. */
export const isSameInput = (one: JsonObject, other: JsonObject): boolean => Object.keys(differences(one, other)).length === 0;
