/** Where the front matter of a text is. Offsets are UTF-16 units of the whole text. */
export interface Split {
  /** The lines between the two marks; null: there is none, or it has no end. */
  readonly block: { readonly from: number; readonly to: number } | null;
  /** It begins and has no end: all of the text is its body. */
  readonly isOpen: boolean;
  /** What stands behind it, without blank lines at its two ends. */
  readonly body: string;
}

/**
 * Splits any text: front matter begins in its first line that isn't blank, with three hyphens, and ends at the next line of three hyphens or dots.
 * A line may end with LF, CRLF or CR.
 */
export function splitFrontMatter(text: string): Split {
  // Never treat a CR before an LF as a line end of its own; otherwise the regex backtracks catastrophically on long runs of both.
  const opening = /^\uFEFF?(?:[ \t]*(?:\r\n|\r(?!\n)|\n))*---[ \t]*(?:\r\n?|\n)/.exec(text);
  const from = opening?.[0].length ?? 0;
  const closing = opening && /(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/.exec(text.slice(from - 1));
  if (!closing) {
    // A line that others may take for the beginning is one that has no end.
    const isOpen = /^\uFEFF?\s*---(?!-)/.test(text);
    return { block: null, isOpen, body: trimBlankLines(text.replace(/^\uFEFF/, "")) };
  }
  const to = from - 1 + closing.index;
  return { block: { from, to }, isOpen: false, body: trimBlankLines(text.slice(to + closing[0].length)) };
}

const trimBlankLines = (text: string): string => text.replace(/^(?:[ \t]*(?:\r\n|\r(?!\n)|\n))+/, "").trimEnd();
