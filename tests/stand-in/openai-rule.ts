import type { Refused } from "./serve.ts";

export interface RuleOptions {
  readonly models: readonly string[];
  /** Fields that this server doesn't know: compatible servers differ. */
  readonly unknownFields?: readonly string[];
  /** The server doesn't know the role `developer`. */
  readonly noDeveloper?: true;
}

export interface Loose {
  readonly [key: string]: unknown;
}

/** The API's models on the day when these rules were written. */
export const realModels: readonly string[] = [
  "gpt-6-astra",
  "gpt-6.1-sol",
  "gpt-6.1-terra",
  "gpt-6-sol",
  "gpt-6-luna",
  "gpt-5.6-sol",
  "gpt-5.6-terra",
  "gpt-5.6-luna",
  "gpt-5.5",
  "gpt-5.4",
  "gpt-5.4-mini",
  "gpt-5.4-nano",
  "gpt-5.3-codex",
  "gpt-5.2",
  "gpt-5.1",
  "gpt-4.1",
  "gpt-4o",
];

export const isReasoning = (model: string): boolean => /^(gpt-[5-9]|o\d)/.test(model);
/** Models that Chat Completions doesn't offer. */
export const isResponsesOnly = (model: string): boolean => model.endsWith("-codex");
/** Models that always think, so on Chat Completions they accept no tools. */
export const alwaysThinks = (model: string): boolean => model === "gpt-6-astra" || model === "gpt-6.1-sol";
/** Models that think unless told not to. */
export const thinksByDefault = (model: string): boolean => /^gpt-(5\.6|6)/.test(model);

export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

class Refusal extends Error {
  readonly refused: Refused;
  constructor(refused: Refused) {
    super(refused.message);
    this.refused = refused;
  }
}

export function refuse(message: string, param: string | null = null, code: string | null = null, status = 400): never {
  throw new Refusal({ status, type: "invalid_request_error", message, param, code });
}

/** Returns null if `check` finds nothing wrong with the body. */
export function refusedBy(raw: string, check: (body: Loose) => void): Refused | null {
  try {
    check(readBody(raw));
  } catch (error) {
    if (error instanceof Refusal) return error.refused;
    throw error;
  }
  return null;
}

function readBody(raw: string): Loose {
  let body: unknown;
  try {
    body = JSON.parse(raw);
  } catch {
    return refuse(
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
    );
  }
  // The real API replaces a lone surrogate; a stricter parser refuses it.
  if (hasLoneSurrogate(body)) refuse("We could not parse the JSON body of your request: lone surrogate (stand-in)");
  if (!isObject(body)) return refuse("The JSON body of your request must be an object.");
  return body;
}

export function checkFields(value: Loose, known: readonly string[], at = "", refused: readonly string[] = []): void {
  for (const field of Object.keys(value)) {
    const path = at === "" ? field : `${at}.${field}`;
    if (!known.includes(field) || refused.includes(field)) refuse(`Unknown parameter: '${path}'.`, path, "unknown_parameter");
  }
}

export function checkModel(body: Loose, options: RuleOptions, unknown: (model: string) => never): string {
  const model = body["model"];
  if (typeof model !== "string") return refuse("you must provide a model parameter");
  return options.models.includes(model) ? model : unknown(model);
}

export function wrongType(path: string, expected: string, value: unknown): never {
  return refuse(`Invalid type for '${path}': expected ${expected}, but got ${typeWord(value)} instead.`, path, "invalid_type");
}

export function checkString(value: unknown, path: string): string {
  if (value === undefined) return refuse(`Missing required parameter: '${path}'.`, path, "missing_required_parameter");
  return typeof value === "string" ? value : wrongType(path, "a string", value);
}

export function checkLength(value: string, path: string, most: number): void {
  if (value === "") {
    refuse(
      `Invalid '${path}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
      path,
      "empty_string",
    );
  }
  if (value.length > most) {
    refuse(
      `Invalid '${path}': string too long. Expected a string with maximum length ${most}, but got a string with length ${value.length} instead.`,
      path,
      "string_above_max_length",
    );
  }
}

export function checkName(value: unknown, path: string): string {
  const name = checkString(value, path);
  checkLength(name, path, 64);
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) {
    refuse(
      `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      path,
      "invalid_value",
    );
  }
  return name;
}

/** The API accepts empty and blank texts; servers that pass them on to other models don't. */
export function checkText(value: unknown, path: string): void {
  if (checkString(value, path).trim() === "") refuse(`Invalid '${path}': text must not be empty or blank (stand-in)`, path);
}

/** The API reads any arguments as well as it can; servers that parse them don't. */
export function checkArguments(value: unknown, path: string): void {
  const json = checkString(value, path);
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return refuse(`Invalid '${path}': not valid JSON (stand-in)`, path);
  }
  if (!isObject(parsed)) refuse(`Invalid '${path}': must be the JSON of an object (stand-in)`, path);
}

export interface FunctionTool {
  readonly tool: Loose;
  readonly at: string;
}

/** Checks the functions in `tools`. Returns false if the request has no tools. */
export function checkTools(body: Loose, read: (tool: Loose, at: string) => FunctionTool): boolean {
  const tools = body["tools"];
  if (tools === undefined) {
    for (const field of ["tool_choice", "parallel_tool_calls"]) {
      if (field in body) refuse(`Invalid value for '${field}': '${field}' is only allowed when 'tools' are specified.`, field);
    }
    return false;
  }
  if (!Array.isArray(tools)) return wrongType("tools", "an array of objects", tools);
  if (tools.length === 0) {
    refuse(
      "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      "tools",
      "empty_array",
    );
  }
  if (tools.length > 128) {
    refuse(
      `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${tools.length} instead.`,
      "tools",
      "array_above_max_length",
    );
  }
  const names = new Set<string>();
  for (const [index, entry] of tools.entries()) {
    if (!isObject(entry)) return wrongType(`tools[${index}]`, "an object", entry);
    const { tool, at } = read(entry, `tools[${index}]`);
    const name = checkName(tool["name"], `${at}.name`);
    if (names.has(name)) refuse(`Duplicate function name '${name}' (stand-in)`, "tools");
    names.add(name);
    checkSchema(tool, name, at);
  }
  return true;
}

function checkSchema(tool: Loose, name: string, at: string): void {
  const schema = tool["parameters"];
  if (schema === undefined || schema === null)
    return refuse(`Missing required parameter: '${at}.parameters'.`, at, "missing_required_parameter");
  if (!isObject(schema)) return wrongType(`${at}.parameters`, "an object", schema);
  const invalid = (what: string): never =>
    refuse(`Invalid schema for function '${name}': ${what}`, `${at}.parameters`, "invalid_function_parameters");
  if (schema["type"] !== "object")
    invalid(`schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(schema["type"])}'.`);
  if (tool["strict"] !== true) return;
  if (schema["additionalProperties"] !== false) {
    invalid("In context=(), 'additionalProperties' is required to be supplied and to be false.");
  }
  const properties = Object.keys(isObject(schema["properties"]) ? schema["properties"] : {});
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const missing = properties.find((property) => !required.includes(property));
  if (missing !== undefined) {
    invalid(
      `In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
    );
  }
}

export function checkEffort(effort: unknown, model: string, path: string): void {
  if (effort === undefined || effort === null) return;
  if (typeof effort !== "string" || !efforts.includes(effort)) {
    refuse(
      `Invalid value: '${shown(effort)}'. Supported values are: ${efforts.map((word) => `'${word}'`).join(", ")}.`,
      path,
      "invalid_value",
    );
  }
  if (!isReasoning(model)) {
    refuse(`Unsupported parameter: '${path}' is not supported with this model.`, path, "unsupported_parameter");
  }
  if (effort === "none" && alwaysThinks(model)) {
    refuse(
      `Unsupported value: '${path}' does not support 'none' with this model. Supported values are: 'low', 'medium', 'high', and 'xhigh'.`,
      path,
      "unsupported_value",
    );
  }
}

export function checkCount(value: unknown, path: string, least: number, most: number): void {
  if (value === undefined || value === null) return;
  if (typeof value !== "number" || !Number.isInteger(value)) return wrongType(path, "an integer", value);
  if (value < least) {
    refuse(
      `Invalid '${path}': integer below minimum value. Expected a value >= ${least}, but got ${value} instead.`,
      path,
      "integer_below_min_value",
    );
  }
  if (value > most) {
    refuse(
      `max_tokens is too large: ${value}. This model supports at most ${most} completion tokens, whereas you provided ${value}.`,
      path,
      "invalid_value",
    );
  }
}

export const outputLimit = (model: string): number => (model === "gpt-4o" ? 16_384 : model === "gpt-4.1" ? 32_768 : 128_000);

export function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeWord(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "number" ? (Number.isInteger(value) ? "an integer" : "a decimal number") : `a ${typeof value}`;
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === "string") return /\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  return isObject(value) && Object.entries(value).some(([key, inner]) => hasLoneSurrogate(key) || hasLoneSurrogate(inner));
}

/** A value, as quoted in a message. */
export function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
