import { cleanCharacters } from "./clean.ts";

/**
 * What is not seen, or looks like a space: format characters (byte order marks, zero-width and bidirectional ones, tags), variation selectors and
 * fillers, controls but the tab, every space but the plain one, and U+FFFD, which a decoder puts for bytes that are no text.
 */
const UNSEEN =
  /(?:(?!\t)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\xA0\u1680\u2000-\u200A\u202F\u205F\u3000\u2800\uFFFD])/gu;
const UNSEEN_START = new RegExp(`^${UNSEEN.source}+`, "u");
/** What looks like a space. */
const SPACE = /[\p{Zs}\t\u2800\u3164\uFFA0]/gu;
/** What some program takes for the end of a line. */
// oxlint-disable-next-line no-control-regex -- the separators of files, groups and records end a line for Python
const BREAK = /[\v\f\x1C-\x1E\x85\u2028\u2029]/u;
const PLAIN = /^[\n -~]*$/;

/**
 * The text with every line brought out that unseen characters keep from being one that `isWanted` looks for: as a whole, or as a part
 * behind something that other programs take for a line's end. Lines that hide nothing stay as they are.
 */
export function revealLines(text: string, isWanted: (line: string) => boolean): string {
  if (PLAIN.test(text)) return text;
  return cleanCharacters(withoutReturns(text, isWanted))
    .split("\n")
    .map((line) => (PLAIN.test(line) || isWanted(line) ? line : revealed(line, isWanted)))
    .join("\n");
}

/** A CR is taken for a line's end, or dropped: the lines that are wanted when it is dropped. */
function withoutReturns(text: string, isWanted: (line: string) => boolean): string {
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => (line.includes("\r") ? (readings(line).find(isWanted) ?? line) : line))
    .join("\n");
}

/** A text without the characters that are not seen. */
export function withoutUnseen(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSEEN, "");
}

function revealed(line: string, isWanted: (line: string) => boolean): string {
  const whole = readings(line).find(isWanted);
  if (whole !== undefined) return whole;
  const parts = line.split(BREAK);
  const found = parts.map((part) => readings(part).find(isWanted) ?? null);
  return found.every((part) => part === null) ? line : parts.map((part, at) => found[at] ?? part).join("\n");
}

/** What a line can become in the hands of programs that drop, normalise or replace characters. */
function readings(line: string): string[] {
  const spaced = line.replace(UNSEEN_START, "").replace(SPACE, " ").replace(UNSEEN, "");
  return [line.replace(UNSEEN, ""), spaced, spaced.normalize("NFKC")];
}
