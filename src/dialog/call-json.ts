import { hasUnseen, isJsonObject, parseJson, storable, stringifyJson } from "./json.ts";
import type { Call, Json, JsonObject } from "./model.ts";

/*
 * Long JSON of a call is read when someone asks for it, and written as it stood. A dialog's files are mostly such JSON, and most of it is
 * never looked at.
 */

/** The lines of a block that are its input, and those behind each `Result:` that it has. */
export interface BlockJson {
  readonly input: readonly string[];
  readonly results: readonly (readonly string[])[];
}

/** Nothing that is indented and ends so is JSON. */
export const TORN = "\n\\";

/** UTF-16 units of a block's JSON up to which it is read at once: then a value costs less than the way to it. */
const SHORT = 1_000;

/** A call as its block says it. The first `Result` whose JSON is whole counts. */
export function readCall(
  facts: Pick<Call, "id" | "name" | "decision" | "started"> & { readonly changed: JsonObject | null },
  json: BlockJson,
): Call {
  const { id, name, decision, started } = facts;
  const changed = facts.changed === null ? {} : { changed: facts.changed };
  if (lengthOf(json) <= SHORT)
    return { id, name, input: readInput(json.input), decision, ...changed, started, result: readResult(json.results)?.value };
  const call = { id, name, decision, ...changed, started, [SOURCE]: new Source(json) };
  // Getters that all calls share: with its own ones an object would be a hundred times as dear.
  Object.defineProperties(call, accessors);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the accessors are the two fields that were missing.
  return call as unknown as Call;
}

/** The arguments that were approved in place of the input; null when they are not one whole JSON object. */
export function readChanged(lines: readonly string[]): JsonObject | null {
  const value = readJson(lines);
  return isJsonObject(value) ? value : null;
}

/** The arguments with which the call runs, or ran: what the user made of them, or else the agent's own. */
export function ranWith(call: Pick<Call, "input" | "changed">): JsonObject {
  return call.changed ?? call.input;
}

/** It is as a file has it, and was read from there as it is needed. */
export function wasRead(call: Call): boolean {
  return sourceOf(call) !== undefined;
}

/** The same as `call.result !== undefined`, without making a value of it. */
export function hasResult(call: Call): boolean {
  return sourceOf(call)?.hasResult() ?? call.result !== undefined;
}

/** A call's input as one line of JSON. */
export function inputText(call: Call): string {
  return jsonText(call.input);
}

/** A call's result as one line of JSON; undefined when there is none. */
export function resultText(call: Call): string | undefined {
  const source = sourceOf(call);
  if (source !== undefined) return source.resultText();
  return call.result === undefined ? undefined : jsonText(call.result);
}

/** A value as it can be stored: the same, or `{"invalid": "<raw>"}` when it nests too deep. */
export function storableJson(value: Json): Json {
  return isJsonObject(value) && texts.has(value) ? value : storable(value);
}

/** Where a call's JSON stands. Values are held weakly: they take as much memory as their text, and are made again when they are asked for again. */
class Source {
  readonly #json: BlockJson;
  #input: WeakRef<JsonObject> | undefined;
  #result: WeakRef<JsonObject> | undefined;
  /** The lines of the result that counts, null when there is none; undefined: no one has looked. */
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

  /** The line as it stands, when it can be written so; else what the writer makes of its value. */
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
  // Hidden, so that a copy of the call is a call without it.
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

/** The lines that values were read from. */
const texts = new WeakMap<JsonObject, string>();

function jsonText(value: Json): string {
  return (isJsonObject(value) ? texts.get(value) : undefined) ?? stringifyJson(value);
}

/** JSON that stands in a file as the writer could have written it: without its indent; null for any other. */
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

/** A number that may have more digits than a value keeps. */
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
