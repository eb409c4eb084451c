import { cleanCharacters } from "./clean.ts";
import type { Meta } from "./model.ts";

/** In UTF-16 code units. */
export const LONGEST_VALUE = 300;

const KEY = /^[A-Z][A-Za-z]{0,31}(?: [a-z]{1,31})?$/;
const KEY_HERE = /> [A-Z][A-Za-z]{0,31}(?: [a-z]{1,31})?:/y;
/** Most values hold only printable ASCII. */
const UNUSUAL = /[^ -~]/;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;
const PAIR = " | Model: ";

/**
 * Turns a text into a metadata value: one line, no control characters, at most 300 UTF-16 units (never half a surrogate pair), no space at either
 * end.
 */
export function metaValue(text: string): string {
  return trimSpaces(cut(trimSpaces(spaced(text))));
}

/** The value of the line with this key. Null if there is no such line, or more than one. */
export function only(lines: readonly Meta[], key: string): string | null {
  const found = lines.filter((line) => line.key === key);
  return found.length === 1 ? (found[0]?.value ?? null) : null;
}

export function isMetaKey(key: string): boolean {
  return KEY.test(key);
}

/**
 * The lines of a metadata part or a head, each with its LF. A `Model` that follows a `Provider` shares its line. Values are made to fit. An invalid
 * key is a programmer's mistake and throws.
 */
export function metaLines(lines: readonly Meta[]): string {
  const out: string[] = [];
  let before: string | null = null;
  for (const { key, value } of lines) {
    if (!isMetaKey(key)) throw new RangeError(`No metadata key: ${JSON.stringify(key.slice(0, 80))}`);
    const stored = storedValue(value);
    if (key === "Model" && before === "Provider") out.push(PAIR, stored);
    else out.push(before === null ? "> " : "\n> ", key, ": ", key === "Provider" ? providerValue(stored) : stored);
    before = key;
  }
  return before === null ? "" : `${out.join("")}\n`;
}

/** Lines as an edit stores them. Every value goes through `metaValue`, except that the time of an open section keeps its final space. */
export function cleanMeta(lines: readonly Meta[]): Meta[] {
  return lines.map(({ key, value }) => {
    if (key === "Time") return { key, value: storedValue(value) };
    return { key, value: key === "Provider" ? providerValue(metaValue(value)) : metaValue(value) };
  });
}

/** Like `metaValue`, but keeps the spaces at both ends: the time of an open section ends with a space. */
export function storedValue(value: string): string {
  return isStored(value) ? value : cut(spaced(value));
}

/**
 * The entries of the metadata line that starts at `from` and has its LF at `to`. Null if it is not a metadata line. A value that the writer would
 * have changed also gives null: the line is then text, so no word is lost.
 */
export function readMetaLine(file: string, from: number, to: number): readonly Meta[] | null {
  KEY_HERE.lastIndex = from;
  if (!KEY_HERE.test(file)) return null;
  const valueAt = KEY_HERE.lastIndex;
  const key = file.slice(from + "> ".length, valueAt - ":".length);
  if (valueAt < to && file.charCodeAt(valueAt) !== 32) return null;
  const value = file.slice(valueAt + 1, to);
  const pair = key === "Provider" ? value.indexOf(PAIR) : -1;
  if (pair < 0) return isStored(value) ? [{ key, value }] : null;
  const [provider, model] = [value.slice(0, pair), value.slice(pair + PAIR.length)];
  if (!isStored(provider) || !isStored(model)) return null;
  return [
    { key, value: provider },
    { key: "Model", value: model },
  ];
}

/** Keeps a provider's name from being read as the model that shares its line. */
function providerValue(value: string): string {
  return value.includes(PAIR) ? value.replaceAll("|", " ") : value;
}

function isStored(value: string): boolean {
  if (value.length > LONGEST_VALUE) return false;
  return !UNUSUAL.test(value) || (!CONTROL.test(value) && cleanCharacters(value) === value);
}

function spaced(text: string): string {
  return cleanCharacters(text.replace(CONTROLS, " "));
}

function cut(text: string): string {
  if (text.length <= LONGEST_VALUE) return text;
  const short = text.slice(0, LONGEST_VALUE);
  const last = short.charCodeAt(LONGEST_VALUE - 1);
  return last >= 0xd800 && last <= 0xdbff ? short.slice(0, -1) : short;
}

function trimSpaces(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) === 32) from++;
  while (to > from && text.charCodeAt(to - 1) === 32) to--;
  return text.slice(from, to);
}
