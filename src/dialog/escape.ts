/**
 * What a structural line can start with. The parser recognises a subset of this, so text that has been escaped is never read as
 * structure, neither now nor by a later version that knows more keys. No `m` flag: `^` would also match after CR, U+2028 and U+2029.
 */
export const OPENER =
  /^(?:# Dialog|## User|## Assistant|Tool request: |Decision: |Started:|Result:|> [A-Z][A-Za-z]{0,31}(?: [a-z]{1,31})?:)/;

/** The same at one place of a text. It never reaches over a line's end. */
const OPENER_HERE = new RegExp(OPENER.source.slice(1), "y");
const PLAIN_OPENERS = ["# Dialog", "## User", "## Assistant", "Tool request: ", "Decision: ", "Started:", "Result:"];
const KEY_OPENER_BEGUN = /^>(?: (?:[A-Z][A-Za-z]{0,31}(?: [a-z]{0,31})?)?)?$/;

/** No opener is longer, so a line's fate is settled after that many characters. */
export const LONGEST_OPENER = "> :".length + 32 + 1 + 31;

const BACKSLASH = 92;

/** One backslash more when the line could read as structural. `unescapeLine(escapeLine(line))` is `line`, whatever the line. */
export function escapeLine(line: string): string {
  return isOpener(line, slashesEnd(line, 0)) ? `\\${line}` : line;
}

/** One backslash less when what stands behind the backslashes could read as structural. */
export function unescapeLine(line: string): string {
  const end = slashesEnd(line, 0);
  return end > 0 && isOpener(line, end) ? line.slice(1) : line;
}

/** `escapeLine` for every line of a text; lines end at LF alone. */
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

/** An opener stands at `at`. */
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

/** `begun` is no opener yet, and more characters can make it one. */
export function canBecomeOpener(begun: string): boolean {
  if (begun.length >= LONGEST_OPENER || begun === "" || isOpener(begun, 0)) return false;
  return PLAIN_OPENERS.some((opener) => opener.startsWith(begun)) || KEY_OPENER_BEGUN.test(begun);
}

/** Where the run of backslashes that starts at `at` ends. */
export function slashesEnd(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === BACKSLASH) end++;
  return end;
}

function nextLine(text: string, at: number): number {
  const lf = text.indexOf("\n", at);
  return lf < 0 ? -1 : lf + 1;
}
