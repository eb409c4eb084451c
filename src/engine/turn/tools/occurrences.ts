/** The offsets of `part` in `text`, without overlaps. If the only other occurrence overlaps the first, both are returned. */
export function occurrences(text: string, part: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) starts.push(at);
  const [only] = starts;
  if (only === undefined || starts.length > 1) return starts;
  const overlapping = text.indexOf(part, only + 1);
  return overlapping < 0 ? starts : [only, overlapping];
}

/** The line numbers (from 1) of these ascending offsets. */
export function lineNumbers(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let newline = text.indexOf("\n");
  return offsets.map((offset) => {
    while (newline >= 0 && newline < offset) {
      line++;
      newline = text.indexOf("\n", newline + 1);
    }
    return line;
  });
}

/** The line where `part` starts. Null unless it occurs exactly once. */
export function lineOfOnly(text: string, part: unknown): number | null {
  if (typeof part !== "string" || part === "") return null;
  const starts = occurrences(text, part);
  return starts.length === 1 ? (lineNumbers(text, starts)[0] ?? null) : null;
}
