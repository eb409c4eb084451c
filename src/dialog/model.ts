/**
 * What a dialog file says. A value: nothing here changes in place.
 *
 * - Every text is clean (see `clean`), unescaped, joined by LF, without blank lines at its two ends, never empty.
 * - Two neighbouring parts are never both texts. Two meta parts can be neighbours: a blank line stands between them.
 * - Call ids are unique in a dialog.
 */
export interface Dialog {
  /** 1; another number is shown and never continued; `null` is an earlier Vibey's file, whose authority lines count for nothing. */
  readonly format: number | null;
  /** The `> Key: value` lines directly under `# Dialog`, without `Format`. A line with ` | ` between pairs gives one entry a pair. */
  readonly head: readonly Meta[];
  /** What stands between the header and the first section: text and meta, never calls. */
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
  /** `{ "invalid": "<raw>" }`, that one key alone, is what was no whole JSON object; such a call never runs. */
  readonly input: JsonObject;
  /** null: no one has decided; the call is pending. */
  readonly decision: "approved" | "denied" | null;
  /** What the user approved in place of `input`: the call runs with this. Left out: it was approved as it is, or not at all. */
  readonly changed?: JsonObject;
  /** The time of the claim as it stands in the file: the call was started and is never started again. */
  readonly started: string | null;
  /** undefined: there is none. */
  readonly result: Json | undefined;
}
