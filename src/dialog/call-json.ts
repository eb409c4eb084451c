import { hasUnseen, isJsonObject, parseJson, storable, stringifyJson } from "./json.ts";
import type { Call, Json, JsonObject } from "./model.ts";

/*
 * Long JSON of a call is parsed on demand, and written back as it was. Dialog files consist mostly of such JSON, and most of it is never looked at.
 */

/** The lines of a block's input, and the lines after each `Result:`. */
export interface BlockJson {
  readonly input: readonly string[];
  readonly results: readonly (readonly string[])[];
}

/** No indented text that ends like this is valid JSON. */
export const TORN = "\n\\";

/** In UTF-16 code units. Shorter JSON of a block is parsed at once: that is cheaper than deferring it. */
const SHORT = 1_000;

/** The call in a block. The first `Result` with complete JSON counts. */
export function readCall(
  facts: Pick<Call, "id" | "name" | "decision" | "started"> & { readonly changed: JsonObject | null },
  json: BlockJson,
): Call {
  const { id, name, decision, started } = facts;
  const changed = facts.changed === null ? {} : { changed: facts.changed };
  if (lengthOf(json) <= SHORT)
    return { id, name, input: readInput(json.input), decision, ...changed, started, result: readResult(json.results)?.value };
  const call = { id, name, decision, ...changed, started, [SOURCE]: new Source(json) };
  // All calls share these getters: own getters would make an object a hundred times as expensive.
  Object.defineProperties(call, accessors);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the accessors are the two fields that were missing.
  return call as unknown as Call;
}

/** The arguments that were approved instead of the input. Null if they are not one complete JSON object. */
export function readChanged(lines: readonly string[]): JsonObject | null {
  const value = readJson(lines);
  return isJsonObject(value) ? value : null;
}

/** The arguments that the call runs with: the user's if the user changed them, otherwise the agent's. */
export function ranWith(call: Pick<Call, "input" | "changed">): JsonObject {
  return call.changed ?? call.input;
}

/** Whether the call comes from a file and its JSON is parsed on demand. */
export function wasRead(call: Call): boolean {
  return sourceOf(call) !== undefined;
}

/** The same as `call.result !== undefined`, but without parsing the result. */
export function hasResult(call: Call): boolean {
  return sourceOf(call)?.hasResult() ?? call.result !== undefined;
}

/** A call's input as one line of JSON. */
export function inputText(call: Call): string {
  return jsonText(call.input);
}

/** A call's result as one line of JSON. Undefined if there is none. */
export function resultText(call: Call): string | undefined {
  const source = sourceOf(call);
  if (source !== undefined) return source.resultText();
  return call.result === undefined ? undefined : jsonText(call.result);
}

/** The value as it can be stored: unchanged, or `{"invalid": "<raw>"}` if it is nested too deep. */
export function storableJson(value: Json): Json {
  return isJsonObject(value) && texts.has(value) ? value : storable(value);
}

/** The JSON of a call in its file. Parsed values are held weakly, because they take as much memory as their text. They are parsed again if needed. */
class Source {
  readonly #json: BlockJson;
  #input: WeakRef<JsonObject> | undefined;
  #result: WeakRef<JsonObject> | undefined;
  /** The lines of the result that counts. Null if there is no result, undefined if not determined yet. */
  #whole: readonly string[] | null | undefined;

  constructor(json: BlockJson) {
    this.#json = json;
  }

  input(): JsonObject {
    const known = this.#input?.deref();
    if (known) return known;
    const value = readInput(this.#json.input);
    this.#input = new WeakRef(value);
    return value;
  }

  result(): Json | undefined {
    const known = this.#result?.deref();
    if (known) return known;
    const found = readResult(this.#whole === undefined ? this.#json.results : this.#whole === null ? [] : [this.#whole]);
    this.#whole = found?.lines ?? null;
    if (isJsonObject(found?.value)) this.#result = new WeakRef(found.value);
    return found?.value;
  }

  hasResult(): boolean {
    if (this.#whole === undefined) this.result();
    return this.#whole !== null;
  }

  /** The original line if it is in the form that the writer uses, otherwise the value as the writer formats it. */
  resultText(): string | undefined {
    if (!this.hasResult()) return undefined;
    return oneLine(this.#whole ?? []) ?? jsonText(this.result() ?? null);
  }
}

const SOURCE = Symbol("source");

interface FromFile {
  readonly [SOURCE]?: Source;
}

const accessors: PropertyDescriptorMap = {
  // Not enumerable, so that a copy of the call has no source.
  [SOURCE]: { enumerable: false },
  input: {
    enumerable: true,
    get(this: FromFile) {
      return this[SOURCE]?.input();
    },
  },
  result: {
    enumerable: true,
    get(this: FromFile) {
      return this[SOURCE]?.result();
    },
  },
};

function sourceOf(call: Call & FromFile): Source | undefined {
  return call[SOURCE];
}

/** The lines that values were parsed from. */
const texts = new WeakMap<JsonObject, string>();

function jsonText(value: Json): string {
  return (isJsonObject(value) ? texts.get(value) : undefined) ?? stringifyJson(value);
}

/** JSON from a file without its indent, if it is in the form that the writer could have produced. Otherwise null. */
function oneLine(lines: readonly string[]): string | null {
  const line = lines.length === 1 ? (lines[0] ?? "") : "";
  if (!line.startsWith("    ") || line.charCodeAt(4) <= 32 || line.charCodeAt(line.length - 1) <= 32 || hasUnseen(line)) return null;
  return line.slice(4);
}

function readInput(lines: readonly string[]): JsonObject {
  const value = readJson(lines);
  return isJsonObject(value) ? value : { invalid: rawLines(lines) };
}

function readResult(results: readonly (readonly string[])[]): { readonly lines: readonly string[]; readonly value: Json } | null {
  for (const lines of results) {
    const value = readJson(lines);
    if (value !== undefined) return { lines, value };
  }
  return null;
}

function readJson(lines: readonly string[]): Json | undefined {
  const value = parseJson(lines.length === 1 ? (lines[0] ?? "") : lines.join("\n"));
  if (isJsonObject(value)) {
    const line = oneLine(lines);
    if (line !== null && (line.length > SHORT || LONG_NUMBER.test(line))) texts.set(value, line);
  }
  return value;
}

/** A number that may have more digits than a JavaScript number keeps. */
const LONG_NUMBER = /[0-9][0-9.]{15}/;

function rawLines(lines: readonly string[]): string {
  return lines
    .filter((line) => line !== TORN)
    .map((line) => line.replace(/^ {1,4}/, ""))
    .join("\n");
}

function lengthOf({ input, results }: BlockJson): number {
  let length = 0;
  for (const lines of [input, ...results]) for (const line of lines) length += line.length;
  return length;
}
