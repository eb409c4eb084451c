import { wellFormed } from "../../../dialog/clean.ts";

/** What has a meaning in markdown inside a line. The `_` of a name stays: between letters it has none. */
const MEANING = /[\\`*[\]<&~|@]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<=www)\./giu;
/** Characters that no one sees and that change how their neighbours read: controls, and what turns the direction of writing. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const QUOTES = /[“”„‟]/g;

/**
 * Someone's words in quotation marks, on one line of at most `longest` UTF-16 units (before they are escaped). Whatever they are,
 * they make no link, no heading and no emphasis, and the marks around them are the only ones of their kind.
 */
export function quoted(text: string, longest: number): string {
  return `“${cut(oneLine(text, longest), longest).replace(QUOTES, '"').replace(MEANING, "\\$&")}”`;
}

/** Text of a machine, such as a command or a path, as a code span on one line of at most `longest` UTF-16 units. */
export function code(text: string, longest: number): string {
  const line = cut(oneLine(text, longest), longest);
  if (line === "") return "(empty)";
  const marks = "`".repeat(longestRun(line, /`+/g) + 1);
  return line.startsWith("`") || line.endsWith("`") ? `${marks} ${line} ${marks}` : marks + line + marks;
}

/** A text of many lines as a fenced block. */
export function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text, /`+/g) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

/** At most `longest` UTF-16 units, never half of a pair; `…` stands for the rest. */
export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${wholeEnd(text.slice(0, longest - 1))}…`;
}

/** The start of `text`, at most `longest` UTF-16 units and never half of a pair. */
export function wholeEnd(text: string): string {
  return isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

/** The end of `text` without half of a pair at its start. */
export function wholeStart(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** As much of the text as can be needed for `longest` units, on one line. */
function oneLine(text: string, longest: number): string {
  const enough = wholeEnd(text.slice(0, longest * 4));
  return wellFormed(enough).replace(/\s+/g, " ").replace(UNSEEN, "").trim();
}

function longestRun(text: string, runs: RegExp): number {
  return (text.match(runs) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
