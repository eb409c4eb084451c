import { cleanCharacters } from "./clean.ts";

/**
 * Characters that are invisible or look like a space: format characters (byte order marks, zero-width and bidirectional characters, tags), variation
 * selectors and fillers, controls except the tab, every space except the plain one, and U+FFFD, which a decoder inserts for invalid bytes.
 */
const UNSEEN =
  /(?:(?!\t)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\xA0\u1680\u2000-\u200A\u202F\u205F\u3000\u2800\uFFFD])/gu;
const UNSEEN_START = new RegExp(`^${UNSEEN.source}+`, "u");
/** Characters that look like a space. */
const SPACE = /[\p{Zs}\t\u2800\u3164\uFFA0]/gu;
/** Characters that some programs treat as the end of a line. */
// oxlint-disable-next-line no-control-regex -- the separators of files, groups and records end a line for Python
const BREAK = /[\v\f\x1C-\x1E\x85\u2028\u2029]/u;
const PLAIN = /^[\n -~]*$/;

/**
 * Reveals the lines that `isWanted` looks for but that invisible characters disguise. The match can be a whole line, or a part of a line after a
 * character that other programs treat as a line end. Other lines stay as they are.
 */
export function revealLines(text: string, isWanted: (line: string) => boolean): string {
  if (PLAIN.test(text)) return text;
  return cleanCharacters(withoutReturns(text, isWanted))
    .split("\n")
    .map((line) => (PLAIN.test(line) || isWanted(line) ? line : revealed(line, isWanted)))
    .join("\n");
}

/** Programs treat a CR as a line end or drop it. This finds the wanted lines that appear if it is dropped. */
function withoutReturns(text: string, isWanted: (line: string) => boolean): string {
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => (line.includes("\r") ? (readings(line).find(isWanted) ?? line) : line))
    .join("\n");
}

/** The text without invisible characters. */
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

/** What a line can become in programs that drop, normalize or replace characters. */
function readings(line: string): string[] {
  const spaced = line.replace(UNSEEN_START, "").replace(SPACE, " ").replace(UNSEEN, "");
  return [line.replace(UNSEEN, ""), spaced, spaced.normalize("NFKC")];
}
