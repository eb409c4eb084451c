import type { JsonObject } from "../../../dialog/model.ts";

/** JSON Schema of an object whose fields are all texts and all required. */
export function textFields(fields: Readonly<Record<string, string>>): JsonObject {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, description]) => [name, { type: "string", description }]));
  return { type: "object", properties, required: Object.keys(fields) };
}

/** null when each of the fields is a text that can be stored; else one line that names the field. Further fields are ignored. */
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

/** A field that `checkTexts` has passed. */
export function textOf(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw new TypeError(`${name} was not checked`);
  return value;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
