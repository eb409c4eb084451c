import { isJsonObject, stringifyJson } from "../../../dialog/json.ts";
import type { Call, Json, JsonObject } from "../../../dialog/model.ts";

/**
 * The result of a call as the agent reads it. If the user approved different arguments, the result begins with those that differ. The call keeps
 * the agent's own arguments. An argument that the user removed is null.
 */
export function sayingChanges({ input, changed }: Pick<Call, "input" | "changed">, result: Json): Json {
  if (changed === undefined || !isJsonObject(result)) return result;
  return { changedByUser: differences(input, changed), ...result };
}

function differences(before: JsonObject, after: JsonObject): JsonObject {
  // An agent can name an argument like a property that every object has, such as `toString`.
  const own = (input: JsonObject, name: string): Json => (Object.hasOwn(input, name) ? (input[name] ?? null) : null);
  const same = (name: string) =>
    Object.hasOwn(before, name) && Object.hasOwn(after, name) && stringifyJson(own(before, name)) === stringifyJson(own(after, name));
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...names].filter((name) => !same(name)).map((name) => [name, own(after, name)]));
}

/** Whether both inputs have the same arguments. */
export const isSameInput = (one: JsonObject, other: JsonObject): boolean => Object.keys(differences(one, other)).length === 0;
