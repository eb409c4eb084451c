import type { Json, JsonObject } from "./model.ts";

/** The maximum nesting depth of a call's input and result. Deeper values are invalid. A scalar has depth 0. */
export const DEEPEST_JSON = 200;

/**
 * Formats a value on one line, with a space after each `,` and `:`. Invisible characters (controls, bidi, zero-width, tags, U+2028/2029) are written
 * as `\uXXXX`, so that a person who approves a call sees exactly what it contains. Never overflows the stack.
 */
export function stringifyJson(value: Json): string {
  const out: string[] = [];
  const frames: Frame[] = [];
  let next: Json | undefined = value;
  for (;;) {
    if (next !== undefined) {
      const frame = open(next);
      if (frame === null) out.push(scalar(next));
      else {
        out.push(frame.keys === null ? "[" : "{");
        frames.push(frame);
      }
    }
    const frame = frames.at(-1);
    if (frame === undefined) return out.join("");
    if (frame.at === frame.values.length) {
      out.push(frame.keys === null ? "]" : "}");
      frames.pop();
      next = undefined;
      continue;
    }
    if (frame.at > 0) out.push(", ");
    if (frame.keys !== null) out.push(quote(frame.keys[frame.at] ?? ""), ": ");
    next = frame.values[frame.at] ?? null;
    frame.at++;
  }
}

/** Undefined if the text is not one complete JSON value, or is nested deeper than `DEEPEST_JSON`. Never throws, never overflows the stack. */
export function parseJson(text: string): Json | undefined {
  // Most invalid texts can be recognized by their ends. The parser's own error costs a hundred times as much.
  if (!looksWhole(text) || textDepth(text) > DEEPEST_JSON) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as it can be stored: unchanged, or `{"invalid": "<raw>"}` if it is nested too deep. */
export function storable(value: Json): Json {
  return isDeep(value) ? { invalid: stringifyJson(value) } : value;
}

interface Frame {
  readonly keys: readonly string[] | null;
  readonly values: readonly Json[];
  at: number;
}

function open(value: Json): Frame | null {
  if (typeof value !== "object" || value === null) return null;
  if (isArray(value)) return { keys: null, values: value, at: 0 };
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return { keys, values: keys.map((key) => value[key] ?? null), at: 0 };
}

function scalar(value: Json): string {
  if (typeof value === "string") return quote(value);
  // JSON can express -0, but JSON.stringify doesn't.
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
}

/**
 * All characters that Unicode 17 classifies as controls, format characters, line or paragraph separators, or default ignorable (Cc, Cf, Zl, Zp,
 * Default_Ignorable_Code_Point). The list is fixed: with `\p{…}`, browsers with different Unicode versions would write the same dialog differently.
 * JSON.stringify has already escaped C0 controls and lone surrogates.
 */
const UNSEEN = new RegExp(
  [
    "[",
    String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u115f-\u1160`,
    String.raw`\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`,
    String.raw`\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`,
    "]",
  ].join(""),
  "gu",
);

/** Whether a text has a lone surrogate or a character that `stringifyJson` escapes. */
export function hasUnseen(text: string): boolean {
  return UNUSUAL.test(text) && (text.search(UNSEEN) >= 0 || text.search(/\p{Surrogate}/u) >= 0);
}

/** Most texts contain only these visible characters. Searching for the invisible ones directly takes ten times as long. */
const UNUSUAL =
  /[^ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2426\u2500-\u2b73\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9f]/;

function quote(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, unicodeEscape);
}

function unicodeEscape(character: string): string {
  let out = "";
  for (let at = 0; at < character.length; at++) out += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  return out;
}

/** Whether the ends of the text can be those of a single JSON value. */
function looksWhole(text: string): boolean {
  let from = 0;
  let to = text.length - 1;
  while (isJsonSpace(text.charCodeAt(from))) from++;
  while (to > from && isJsonSpace(text.charCodeAt(to))) to--;
  switch (text.charAt(from)) {
    case "{":
      return text.charAt(to) === "}";
    case "[":
      return text.charAt(to) === "]";
    case '"':
      return text.charAt(to) === '"' && to > from;
    default:
      return /^[-\dtfn]$/.test(text.charAt(from));
  }
}

function isJsonSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** The nesting depth of the brackets in a JSON text. Meaningless if the text is not JSON. */
function textDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 34: // "
        at = stringEnd(text, at);
        break;
      case 91: // [
      case 123: // {
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case 93: // ]
      case 125: // }
        depth--;
        break;
      default:
    }
  }
  return deepest;
}

/** The position of the quote that ends the string starting at `at`. The text's length if there is none. */
function stringEnd(text: string, at: number): number {
  for (let quoteAt = text.indexOf('"', at + 1); quoteAt >= 0; quoteAt = text.indexOf('"', quoteAt + 1)) {
    let slashes = quoteAt;
    while (text.charCodeAt(slashes - 1) === 92) slashes--;
    if ((quoteAt - slashes) % 2 === 0) return quoteAt;
  }
  return text.length;
}

function isDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; ; depth++) {
    const containers = level.map(open).filter((frame) => frame !== null);
    if (containers.length === 0) return false;
    if (depth === DEEPEST_JSON) return true;
    level = containers.flatMap((frame) => frame.values);
  }
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
