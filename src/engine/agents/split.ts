/** Where the front matter of a text is. Offsets are UTF-16 units of the whole text. */
export interface Split {
  /** The lines between the two marks; null: there is none, or it has no end. */
  readonly block: { readonly from: number; readonly to: number } | null;
  /** It begins and has no end: all of the text is its body. */
  readonly isOpen: boolean;
  /** What stands behind it, without blank lines at its two ends. */
  readonly body: string;
}

/** Splits any text: front matter begins in its first line, with three hyphens, and ends at the next line of three hyphens or dots. */
export function splitFrontMatter(text: string): Split {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  const from = opening?.[0].length ?? 0;
  const closing = opening && /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(text.slice(from));
  if (!closing) return { block: null, isOpen: opening !== null, body: trimBlankLines(text.replace(/^\uFEFF/, "")) };
  const to = from + closing.index;
  return { block: { from, to }, isOpen: false, body: trimBlankLines(text.slice(to + closing[0].length)) };
}

const trimBlankLines = (text: string): string => text.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
