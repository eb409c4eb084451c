import type { Json, JsonObject } from "../../dialog/model.ts";
import { wellFormed } from "./text.ts";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same object when no string or key in it holds a lone surrogate, else a copy without. */
export function wellFormedObject(input: JsonObject): JsonObject {
  // JSON.stringify leaves a pair of surrogates as it is and escapes a lone one, so its text tells whether there is any.
  return JSON.stringify(input).includes("\\ud") ? cleanedObject(input) : input;
}

function cleanedObject(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([key, inner]) => [wellFormed(key), cleaned(inner)]));
}

function cleaned(value: Json): Json {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(cleaned);
  return isObject(value) ? cleanedObject(value) : value;
}
