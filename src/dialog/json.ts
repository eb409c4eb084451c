import type { Json, JsonObject } from "./model.ts";

/** Input and result of a call nest at most so deep; deeper ones are invalid. A scalar has depth 0. */
export const DEEPEST_JSON = 200;

/**
 * A value on one line, a space after each `,` and `:`. Characters that no one sees (controls, bidi, zero-width, tags, U+2028/2029)
 * are written as `\uXXXX`, so that what a human approves is what stands there. Never overflows the stack.
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

/** undefined when the text is not one whole JSON value, or nests deeper than `DEEPEST_JSON`. Never throws, never overflows the stack. */
export function parseJson(text: string): Json | undefined {
  // Most of what is no JSON is told at its ends; the parser's own error costs a hundred times as much.
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

/** A value as it can be stored: the same, or `{"invalid": "<raw>"}` when it nests too deep. */
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
  // JSON can say -0, JSON.stringify does not.
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
}

/**
 * Everything that Unicode 17 calls a control, a format character, a line or paragraph separator, or ignorable by default (Cc, Cf, Zl, Zp,
 * Default_Ignorable_Code_Point). A fixed list: with `\p{…}` the same dialog would be written differently by browsers with other versions
 * of Unicode. JSON.stringify has already written C0 controls and lone surrogates as escapes.
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

/** Whether a text holds a character that `stringifyJson` writes as an escape, or a lone surrogate. */
export function hasUnseen(text: string): boolean {
  return UNUSUAL.test(text) && (text.search(UNSEEN) >= 0 || text.search(/\p{Surrogate}/u) >= 0);
}

/** Most texts hold no other characters than these, of which each is seen; to look for the others one by one takes ten times as long. */
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

/** The ends of the text could be those of one value. */
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

/** How deep the brackets of a JSON text nest. The number means nothing when the text is no JSON. */
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

/** The place of the quote that ends the string which the quote at `at` starts; the text's end when none does. */
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
