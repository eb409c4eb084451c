import type { Json, JsonObject } from "../../dialog/model.ts";
import { wellFormed } from "./text.ts";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same object if no string or key in it has a lone surrogate, otherwise a copy without lone surrogates. */
export function wellFormedObject(input: JsonObject): JsonObject {
  // JSON.stringify keeps surrogate pairs and escapes lone surrogates, so its output shows whether there are any.
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
