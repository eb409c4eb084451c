/**
 * What a structural line can start with. The parser recognizes a subset of this, so escaped text is never read as structure, now or by a later
 * version that knows more keys. No `m` flag: `^` would also match after CR, U+2028 and U+2029.
 */
export const OPENER =
  /^(?:# Dialog|## User|## Assistant|Tool request: |Decision: |Started:|Result:|> [A-Z][A-Za-z]{0,31}(?: [a-z]{1,31})?:)/;

/** The same at a given position of a text. Never matches across the end of a line. */
const OPENER_HERE = new RegExp(OPENER.source.slice(1), "y");
const PLAIN_OPENERS = ["# Dialog", "## User", "## Assistant", "Tool request: ", "Decision: ", "Started:", "Result:"];
const KEY_OPENER_BEGUN = /^>(?: (?:[A-Z][A-Za-z]{0,31}(?: [a-z]{0,31})?)?)?$/;

/** No opener is longer, so the kind of a line is known after this many characters. */
export const LONGEST_OPENER = "> :".length + 32 + 1 + 31;

const BACKSLASH = 92;

/** Adds a backslash if the line could be read as structure. `unescapeLine(escapeLine(line))` is always `line`. */
export function escapeLine(line: string): string {
  return isOpener(line, slashesEnd(line, 0)) ? `\\${line}` : line;
}

/** Removes a backslash if the text after the backslashes could be read as structure. */
export function unescapeLine(line: string): string {
  const end = slashesEnd(line, 0);
  return end > 0 && isOpener(line, end) ? line.slice(1) : line;
}

/** `escapeLine` for every line of a text. Only LF ends a line. */
export function escapeText(text: string): string {
  let out = "";
  let copied = 0;
  for (let at = 0; at >= 0; at = nextLine(text, at)) {
    if (isOpener(text, slashesEnd(text, at))) {
      out += `${text.slice(copied, at)}\\`;
      copied = at;
    }
  }
  return copied === 0 && out === "" ? text : out + text.slice(copied);
}

/** `unescapeLine` for every line of a text. */
export function unescapeText(text: string): string {
  let out = "";
  let copied = 0;
  for (let at = 0; at >= 0; at = nextLine(text, at)) {
    const end = slashesEnd(text, at);
    if (end > at && isOpener(text, end)) {
      out += text.slice(copied, at);
      copied = at + 1;
    }
  }
  return copied === 0 ? text : out + text.slice(copied);
}

/** Whether an opener is at `at`. */
export function isOpener(text: string, at: number): boolean {
  switch (text.charCodeAt(at)) {
    case 35: // #
    case 62: // >
    case 68: // D
    case 82: // R
    case 83: // S
    case 84: // T
      OPENER_HERE.lastIndex = at;
      return OPENER_HERE.test(text);
    default:
      return false;
  }
}

/** Whether `begun` is not an opener yet but can become one with more characters. */
export function canBecomeOpener(begun: string): boolean {
  if (begun.length >= LONGEST_OPENER || begun === "" || isOpener(begun, 0)) return false;
  return PLAIN_OPENERS.some((opener) => opener.startsWith(begun)) || KEY_OPENER_BEGUN.test(begun);
}

/** The end of the run of backslashes that starts at `at`. */
export function slashesEnd(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === BACKSLASH) end++;
  return end;
}

function nextLine(text: string, at: number): number {
  const lf = text.indexOf("\n", at);
  return lf < 0 ? -1 : lf + 1;
}
