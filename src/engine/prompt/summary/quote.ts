import { wellFormed } from "../../../dialog/clean.ts";

/** Characters with a meaning in inline Markdown. The `_` in a name stays: between letters it has no meaning. */
const MEANING = /[\\`*[\]<&~|@]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<=www)\./giu;
/** Invisible characters that change how adjacent text is displayed: control characters and marks of writing direction. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const QUOTES = /[“”„‟]/g;

/**
 * A quotation on one line of at most `longest` UTF-16 units (before escaping). No text can create a link, a heading or emphasis, and only the
 * surrounding quotation marks are curly.
 */
export function quoted(text: string, longest: number): string {
  return `“${cut(oneLine(text, longest), longest).replace(QUOTES, '"').replace(MEANING, "\\$&")}”`;
}

/** Machine text, such as a command or a path, as a code span on one line of at most `longest` UTF-16 units. */
export function code(text: string, longest: number): string {
  const line = cut(oneLine(text, longest), longest);
  if (line === "") return "(empty)";
  const marks = "`".repeat(longestRun(line, /`+/g) + 1);
  return line.startsWith("`") || line.endsWith("`") ? `${marks} ${line} ${marks}` : marks + line + marks;
}

/** A multi-line text as a fenced block. */
export function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text, /`+/g) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

/** At most `longest` UTF-16 units, without half a surrogate pair at the end. `…` replaces the rest. */
export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${wholeEnd(text.slice(0, longest - 1))}…`;
}

/** The text without half a surrogate pair at its end. */
export function wholeEnd(text: string): string {
  return isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

/** The text without half a surrogate pair at its start. */
export function wholeStart(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** The start of the text, long enough for `longest` units, on one line. */
function oneLine(text: string, longest: number): string {
  const enough = wholeEnd(text.slice(0, longest * 4));
  return wellFormed(enough).replace(/\s+/g, " ").replace(UNSEEN, "").trim();
}

function longestRun(text: string, runs: RegExp): number {
  return (text.match(runs) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
