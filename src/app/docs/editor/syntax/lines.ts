import type { Input } from "@lezer/common";

/** UTF-16 units of the text that are read at a time. */
const piece = 256;

/** The start of the line that contains `pos`. */
export function lineStart(input: Input, pos: number): number {
  return newlineBefore(input, 0, pos) + 1;
}

/** The start of the last `count` lines that end, including their newline, between `from` and `to`; -1 if there are fewer. */
export function lastLines(input: Input, from: number, to: number, count: number): number {
  let end = to;
  for (let nth = 0; nth < count; nth++) {
    end = newlineBefore(input, from, end);
    if (end < 0) return -1;
  }
  const before = newlineBefore(input, from, end);
  return before < 0 && from > 0 ? -1 : before + 1;
}

/** The first newline at or after `from`; `to` if there is none before `to`. */
export function newlineFrom(input: Input, from: number, to: number): number {
  for (let at = from; at < to; at += piece) {
    const found = input.read(at, Math.min(to, at + piece)).indexOf("\n");
    if (found >= 0) return at + found;
  }
  return to;
}

/** Whether the range contains nothing but what the Markdown parser takes for space. */
export function isBlank(input: Input, from: number, to: number): boolean {
  for (let at = from; at < to; at += piece) if (/[^ \t\r\n]/.test(input.read(at, Math.min(to, at + piece)))) return false;
  return true;
}

/** The last newline between `from` and `to`; -1 if there is none. */
function newlineBefore(input: Input, from: number, to: number): number {
  for (let end = to; end > from; end -= piece) {
    const start = Math.max(from, end - piece);
    const found = input.read(start, end).lastIndexOf("\n");
    if (found >= 0) return start + found;
  }
  return -1;
}
