import { PatternError, toRegExp } from "../posix-regex.ts";
import { fatal, Stop } from "./stop.ts";
import { shown } from "./text/unified.ts";

/** Parses `3,7`, `3,+5`, `/expression/,+2` or `:function`; null means all lines. */
export function rangeOf(given: string | null, path: string, lines: readonly string[]): [first: number, last: number] {
  if (given === null) return [0, lines.length];
  if (given.startsWith(":")) return functionRange(given.slice(1), lines);
  const [, from = "", to = ""] = /^(\/(?:[^/\\]|\\.)*\/|[^,]*)(?:,(.*))?$/s.exec(given) ?? [];
  const place = (text: string, after: number): number => {
    const pattern = /^\/(.*)\/$/s.exec(text)?.[1];
    if (pattern === undefined) return Number(text);
    try {
      const expression = toRegExp(pattern, "basic");
      const at = lines.findIndex((line, i) => i >= after && expression.test(shown(line)));
      return at < 0 ? fatal(`-L parameter '${pattern}' starting at line ${after + 1}: no match`) : at + 1;
    } catch (error) {
      if (error instanceof PatternError) return fatal(`-L parameter '${pattern}': ${error.message}`);
      throw error;
    }
  };
  const first = from === "" ? 1 : place(from, 0);
  const end =
    to === "" ? lines.length : to.startsWith("+") ? first + Number(to.slice(1)) - 1 : to.startsWith("-") ? first : place(to, first);
  if (!Number.isInteger(first) || !Number.isInteger(end) || first < 1) throw new Stop(129, `fatal: -L invalid line range: ${given}\n`);
  if (first > lines.length) fatal(`file ${path} has only ${lines.length} lines`);
  return [first - 1, Math.min(end, lines.length)];
}

/** From the line that begins the function to the line that begins the next one. */
function functionRange(text: string, lines: readonly string[]): [first: number, last: number] {
  const begins = (line: string | undefined): boolean => /^[A-Za-z_$]/.test(line ?? "");
  let pattern: RegExp;
  try {
    pattern = toRegExp(text, "basic");
  } catch (error) {
    if (error instanceof PatternError) return fatal(`-L parameter '${text}': ${error.message}`);
    throw error;
  }
  const first = lines.findIndex((line) => begins(line) && pattern.test(shown(line)));
  if (first < 0) return fatal(`-L parameter '${text}' starting at line 1: no match`);
  const next = lines.findIndex((line, i) => i > first && begins(line));
  if (next < 0) return [first, lines.length];
  let last = next;
  // The empty lines before the next function don't belong to it.
  while (last > first + 1 && (lines[last - 1] ?? "").trim() === "") last--;
  return [first, last];
}
