import { createSignal } from "solid-js";
import type { CallView } from "../../protocol/index.ts";

type JsonObject = CallView["input"];

type Fields = ReadonlyMap<string, string>;

/** The arguments that replace the agent's when the user approves a call: what was typed, by the call's hash and the argument's name. */
export function createEdits() {
  const [edits, setEdits] = createSignal<ReadonlyMap<string, Fields>>(new Map());
  const fieldsOf = (call: CallView): Fields => edits().get(call.hash) ?? new Map();
  /** Whether its fields are open. */
  const isOpen = (call: CallView) => edits().has(call.hash);
  /** Cached per state of the fields: many places need the result, and an argument can be long. */
  const known = new WeakMap<Fields, Edited>();
  function editedOf(call: CallView): Edited {
    const fields = fieldsOf(call);
    const edited = known.get(fields) ?? editedBy(call.input, fields);
    known.set(fields, edited);
    return edited;
  }
  return {
    isOpen,
    toggle(call: CallView) {
      const next = new Map(edits());
      if (!next.delete(call.hash)) next.set(call.hash, new Map());
      setEdits(next);
    },
    /** The text of a field: what is shown is what runs, even if the fields are built again. */
    text: (call: CallView, name: string) => fieldsOf(call).get(name) ?? fieldText(call.input[name]),
    type: (call: CallView, name: string, text: string) =>
      setEdits(new Map(edits()).set(call.hash, new Map(fieldsOf(call)).set(name, text))),
    /** null: the arguments are unchanged, or can't be parsed. */
    changed: (call: CallView): JsonObject | null => editedOf(call).changed,
    /** Whether typed text isn't valid JSON. */
    isBroken: (call: CallView) => editedOf(call).isBroken,
  };
}

export type Edits = ReturnType<typeof createEdits>;

interface Edited {
  readonly changed: JsonObject | null;
  readonly isBroken: boolean;
}

/** Compares only what was typed: the arguments of a call can be a megabyte, and most are never edited. */
function editedBy(original: JsonObject, fields: Fields): Edited {
  if (fields.size === 0) return { changed: null, isBroken: false };
  const input = inputOf(original, fields);
  if (input === null) return { changed: null, isBroken: true };
  const isSame = [...fields.keys()].every((name) => isSameValue(input[name], original[name]));
  return { changed: isSame ? null : input, isBroken: false };
}

const isSameValue = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);

/** The text in an argument's field: a string as it is, any other value as JSON. */
export const fieldText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The arguments, with those of `fields` replaced and their line ends kept. Null if one isn't valid JSON. */
export function inputOf(original: JsonObject, fields: ReadonlyMap<string, string>): JsonObject | null {
  const entries: (readonly [string, JsonObject[string]])[] = [];
  for (const [name, value] of Object.entries(original)) {
    const text = fields.get(name);
    if (text === undefined) entries.push([name, value]);
    else if (typeof value === "string") entries.push([name, withLineEnds(value, text)]);
    else {
      const read = readJson(text);
      if (read === undefined) return null;
      entries.push([name, read]);
    }
  }
  return Object.fromEntries(entries);
}

const asLf = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** The text typed in place of `original`, with the original's line ends. A field uses LF only. */
function withLineEnds(original: string, text: string): string {
  const [before, now] = [asLf(original), asLf(text)];
  if (now === before) return original;
  const isCrlf = original.includes("\r") && original === before.replaceAll("\n", "\r\n");
  return isCrlf ? now.replaceAll("\n", "\r\n") : text;
}

function readJson(text: string): JsonObject[string] | undefined {
  try {
    const value: JsonObject[string] = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
