/**
 * The content of a dialog file. Immutable.
 *
 * - Every text is clean (see `clean`), unescaped, joined by LF, never empty, and has no blank lines at its start or end.
 * - Two neighbouring parts are never both texts. Two meta parts can be neighbours: a blank line separates them.
 * - Call ids are unique within a dialog.
 */
export interface Dialog {
  /** 1 or 2. A dialog with another number is shown but never continued. Null for a file of an earlier Vibey, whose authority lines have no effect. */
  readonly format: number | null;
  /**
   * The `> Key: value` lines directly under `# Dialog`, without `Format`. A line with several pairs, separated by ` | `, gives one entry per pair.
   */
  readonly head: readonly Meta[];
  /** The text and meta between the header and the first section. Never calls. */
  readonly parts: readonly Part[];
  readonly sections: readonly Section[];
}

export interface Section {
  readonly role: "user" | "assistant";
  /** The `> Key: value` lines directly under the heading. */
  readonly head: readonly Meta[];
  readonly parts: readonly Part[];
}

export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "meta"; readonly lines: readonly Meta[] }
  | { readonly kind: "call"; readonly call: Call };

export interface Meta {
  readonly key: string;
  readonly value: string;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface Call {
  readonly id: string;
  readonly name: string;
  /** `{ "invalid": "<raw>" }`, with that one key alone, holds input that was not a complete JSON object. Such a call never runs. */
  readonly input: JsonObject;
  /** Null: pending. No one has decided yet. */
  readonly decision: "approved" | "denied" | null;
  /** The arguments that the user approved instead of `input`. Absent if the call was approved unchanged, or not approved. */
  readonly changed?: JsonObject;
  /** The start time as written in the file. A call with a start time is never started again. */
  readonly started: string | null;
  /** Undefined if there is no result yet. */
  readonly result: Json | undefined;
}
