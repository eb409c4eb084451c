import type { Input } from "@lezer/common";

/** UTF-16 units that are read of the text at a time. */
const piece = 256;

/** Where the line begins that `pos` is in. */
export function lineStart(input: Input, pos: number): number {
  return newlineBefore(input, 0, pos) + 1;
}

/** Where the last `count` lines begin that end, with their newline, between `from` and `to`; -1 where there are fewer. */
export function lastLines(input: Input, from: number, to: number, count: number): number {
  let end = to;
  for (let nth = 0; nth < count; nth++) {
    end = newlineBefore(input, from, end);
    if (end < 0) return -1;
  }
  const before = newlineBefore(input, from, end);
  return before < 0 && from > 0 ? -1 : before + 1;
}

/** The first newline from `from` on; `to`: there is none before it. */
export function newlineFrom(input: Input, from: number, to: number): number {
  for (let at = from; at < to; at += piece) {
    const found = input.read(at, Math.min(to, at + piece)).indexOf("\n");
    if (found >= 0) return at + found;
  }
  return to;
}

/** Whether there is nothing but the space that the markdown parser takes for space. */
export function isBlank(input: Input, from: number, to: number): boolean {
  for (let at = from; at < to; at += piece) if (/[^ \t\r\n]/.test(input.read(at, Math.min(to, at + piece)))) return false;
  return true;
}

/** The last newline from `from` on and before `to`; -1: there is none. */
function newlineBefore(input: Input, from: number, to: number): number {
  for (let end = to; end > from; end -= piece) {
    const start = Math.max(from, end - piece);
    const found = input.read(start, end).lastIndexOf("\n");
    if (found >= 0) return start + found;
  }
  return -1;
}
