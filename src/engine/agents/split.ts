/** The position of the front matter in a text. Offsets are UTF-16 units of the whole text. */
export interface Split {
  /** The lines between the two marks. Null if there are none, or if the end mark is missing. */
  readonly block: { readonly from: number; readonly to: number } | null;
  /** The start mark has no end mark, so the whole text is the body. */
  readonly isOpen: boolean;
  /** The text after the front matter, without blank lines at its start and end. */
  readonly body: string;
}

/**
 * Splits any text. Front matter begins at the first line that isn't blank, if it is three hyphens, and ends at the next line of three hyphens or
 * dots. A line may end with LF, CRLF or CR.
 */
export function splitFrontMatter(text: string): Split {
  // Never treat a CR before an LF as a line end of its own; otherwise the regex backtracks catastrophically on long runs of both.
  const opening = /^\uFEFF?(?:[ \t]*(?:\r\n|\r(?!\n)|\n))*---[ \t]*(?:\r\n?|\n)/.exec(text);
  const from = opening?.[0].length ?? 0;
  const closing = opening && /(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/.exec(text.slice(from - 1));
  if (!closing) {
    // Other programs may take such a line for a start mark, so it counts as one without an end.
    const isOpen = /^\uFEFF?\s*---(?!-)/.test(text);
    return { block: null, isOpen, body: trimBlankLines(text.replace(/^\uFEFF/, "")) };
  }
  const to = from - 1 + closing.index;
  return { block: { from, to }, isOpen: false, body: trimBlankLines(text.slice(to + closing[0].length)) };
}

const trimBlankLines = (text: string): string => text.replace(/^(?:[ \t]*(?:\r\n|\r(?!\n)|\n))+/, "").trimEnd();
