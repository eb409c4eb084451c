import { Lexer, type Token } from "marked";

/**
 * The last two blocks of a growing text can still change, and only those: a list may go on, a line may become a heading.
 * Everything before them is final. (Two, not one: keeping one changed 34 of 4,000 random documents.)
 */
const openBlocks = 2;

export interface Step {
  /** Blocks before this index stay as they are; the shown ones from it on are replaced by `blocks`. */
  readonly from: number;
  readonly blocks: readonly Token[];
  /** Blocks before this index are final from here on. */
  readonly closed: number;
}

/**
 * Lexes a text that grows at its end, looking only at its open tail. `null` for a text that nests too deep for the lexer,
 * from then on: it is to be shown as plain text.
 */
export function createMarkdownStream() {
  let tail = "";
  let closed = 0;
  let failed = false;
  return {
    push(text: string): Step | null {
      tail += text;
      const tokens = failed ? null : lex(tail);
      if (tokens === null) {
        failed = true;
        return null;
      }
      const blocks = tokens.filter((token) => token.type !== "space");
      const from = closed;
      const closing = blocks.length - openBlocks;
      if (closing > 0) {
        const firstOpen = blocks[closing];
        let end = 0;
        for (const token of tokens) {
          if (token === firstOpen) break;
          end += token.raw.length;
        }
        tail = tail.slice(end);
        closed += closing;
      }
      return { from, blocks, closed };
    },
  };
}

/** Null when the text nests too deep: the lexer recurses, and some 2,000 nested quotes exhaust the stack. */
export function lex(text: string): Token[] | null {
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A link may be defined after it is used; such a text has to be read whole once more when it is complete. */
export const definesLinks = (text: string) => /^ {0,3}\[[^\]\n]+\]:/m.test(text);
