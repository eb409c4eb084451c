import type { Lines } from "../model/route.ts";

/**
 * The lines of message `index` (counted from 0) in a dialog's file; null if there is none. These two lines are always headings: in a text they are
 * escaped.
 */
export function messageLines(markdown: string, index: number): Lines | null {
  const lines = markdown.split("\n");
  const headings = lines.flatMap((line, at) => (line === "## User" || line === "## Assistant" ? [at] : []));
  const from = headings[index];
  if (from === undefined) return null;
  let to = headings[index + 1] ?? lines.length;
  while (to > from + 1 && lines[to - 1]?.trim() === "") to--;
  return { from: from + 1, to };
}
