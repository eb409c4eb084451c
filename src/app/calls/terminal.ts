/**
 * What a terminal would show of a program's output, as text: without colors, and with overwritten lines in their last state. Only for live output; a
 * result is always shown as stored.
 */
export function plainOutput(text: string): string {
  const bare = text.replace(sequences, "").replace(/(?<!\r)\r+\n/g, "\n");
  return /[\r\b]/.test(bare) ? bare.split("\n").map(overwritten).join("\n") : bare;
}

/** Escape sequences (ECMA-48): CSI, OSC and similar ones to their end, all others, and one that is cut off at the end of the text. */
const sequences =
  // oxlint-disable-next-line no-control-regex -- they begin with a control character
  /\x1b\[[0-?]*[ -/]*(?:[@-~]|$)|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|\x1b?$)|\x1b[ -/]*(?:[0-~]|$)/g;

/** A line after its carriage returns and backspaces are applied. */
function overwritten(line: string): string {
  if (!/[\r\b]/.test(line)) return line;
  const cells: string[] = [];
  let column = 0;
  for (const character of line) {
    if (character === "\r") column = 0;
    else if (character === "\b") column = Math.max(0, column - 1);
    else cells[column++] = character;
  }
  return cells.join("");
}

/** The last lines of a text, which may end with a line break. */
export function lastLines(text: string, count: number): string {
  let from = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let line = 0; line < count; line++) {
    if (from <= 0) return text;
    from = text.lastIndexOf("\n", from - 1);
    if (from < 0) return text;
  }
  return text.slice(from + 1);
}
