import { createSignal } from "solid-js";
import type { CallView } from "../../protocol/index.ts";

type JsonObject = CallView["input"];

/** The arguments with which a person approves calls in place of the agent's, by the call's hash. */
export function createEdits() {
  /** null: what was typed is no JSON. */
  const [edits, setEdits] = createSignal<ReadonlyMap<string, JsonObject | null>>(new Map());
  const set = (call: CallView, input: JsonObject | null) => setEdits(new Map(edits()).set(call.hash, input));
  /** Whether its fields are open. */
  const isOpen = (call: CallView) => edits().has(call.hash);
  const close = (call: CallView) => setEdits(new Map(Array.from(edits()).filter(([hash]) => hash !== call.hash)));
  return {
    isOpen,
    toggle: (call: CallView) => (isOpen(call) ? close(call) : set(call, call.input)),
    set,
    /** null: they stay as they are. */
    changed(call: CallView): JsonObject | null {
      const input = edits().get(call.hash);
      return input == null || JSON.stringify(input) === JSON.stringify(call.input) ? null : input;
    },
    isBroken: (call: CallView) => edits().get(call.hash) === null,
  };
}

export type Edits = ReturnType<typeof createEdits>;

/** What is typed into the field of an argument: a text as it is, anything else as JSON. */
export const fieldText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The arguments with those of `fields` in their place; null: one of them is no JSON. */
export function inputOf(original: JsonObject, fields: ReadonlyMap<string, string>): JsonObject | null {
  const entries: (readonly [string, JsonObject[string]])[] = [];
  for (const [name, value] of Object.entries(original)) {
    const text = fields.get(name);
    if (text === undefined) entries.push([name, value]);
    else if (typeof value === "string") entries.push([name, text]);
    else {
      const read = readJson(text);
      if (read === undefined) return null;
      entries.push([name, read]);
    }
  }
  return Object.fromEntries(entries);
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
