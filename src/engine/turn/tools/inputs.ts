import type { JsonObject } from "../../../dialog/model.ts";

/** The JSON Schema of an object whose fields are all required strings. */
export function textFields(fields: Readonly<Record<string, string>>): JsonObject {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, description]) => [name, { type: "string", description }]));
  return { type: "object", properties, required: Object.keys(fields) };
}

/** Null if each field is a string that can be stored. Otherwise one line that names the field. Other fields are ignored. */
export function checkTexts(input: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined) return `${name} is missing: expected a string`;
    if (typeof value !== "string") return `${name}: expected a string, found ${typeOf(value)}`;
    const at = value.search(/\p{Surrogate}/u);
    if (at >= 0) return `${name} is not well-formed Unicode: half a surrogate pair at ${at}`;
  }
  return null;
}

/** The value of a field that `checkTexts` has accepted. */
export function textOf(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw new TypeError(`${name} was not checked`);
  return value;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
