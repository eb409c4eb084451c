/** Markdown to tokens, with a limit on time and on the size of a table. */
import { Lexer, type Token, Tokenizer, type Tokens } from "marked";

export type Links = Lexer["tokens"]["links"];

export type Lexed =
  | { readonly kind: "lexed"; readonly tokens: Token[]; readonly links: Links }
  /** The time was up. */
  | { readonly kind: "late" }
  /** The lexer recurses: some 2,000 nested quotes exhaust the stack. */
  | { readonly kind: "deep" };

/** The maximum number of link definitions remembered for the rest of a text. The lexer compares each reference with all of them. */
const maxLinks = 200;

class Late extends Error {}

class LimitedTokenizer extends Tokenizer {
  readonly #until: number;

  constructor(until: number) {
    super();
    this.#until = until;
  }

  // The lexer tries these two first, for each block and for each piece of a line.
  override space(src: string): Tokens.Space | undefined {
    this.#check();
    return super.space(src);
  }
  override escape(src: string): Tokens.Escape | undefined {
    this.#check();
    return super.escape(src);
  }

  /**
   * Short rows are padded with cells, so a text of n characters could produce n² cells. A table with more cells than characters isn't treated as a
   * table.
   */
  override table(src: string): Tokens.Table | undefined {
    const end = src.indexOf("\n\n");
    const length = end < 0 ? src.length : end;
    const head = src.indexOf("\n");
    const columns = count(src, "|", head < 0 ? length : head) + 1;
    if (columns > 2 && columns * count(src, "\n", length) > length + 100) return undefined;
    return super.table(src);
  }

  #check(): void {
    if (performance.now() > this.#until) throw new Late();
  }
}

function count(text: string, what: string, end: number): number {
  let found = 0;
  for (let at = text.indexOf(what); at >= 0 && at < end; at = text.indexOf(what, at + 1)) found += 1;
  return found;
}

/** `until`: a time of `performance.now()`. `links`: links that are defined elsewhere in the text. */
export function lex(text: string, until = Infinity, links: Links = {}): Lexed {
  const [fence, rest] = leadingFence(text);
  const lexer = new Lexer({ gfm: true, tokenizer: new LimitedTokenizer(until) });
  Object.assign(lexer.tokens.links, links);
  try {
    const tokens = lexer.lex(rest);
    const known = Object.fromEntries(Object.entries(lexer.tokens.links).slice(0, maxLinks));
    return { kind: "lexed", tokens: fence === null ? [...tokens] : joined(fence, tokens), links: known };
  } catch (error) {
    if (error instanceof Late) return { kind: "late" };
    if (error instanceof RangeError) return { kind: "deep" };
    throw error;
  }
}

/** The lexer adds a single line break to the block before it. */
function joined(fence: Tokens.Code, tokens: readonly Token[]): Token[] {
  const [first, ...others] = tokens;
  if (first?.type !== "space" || first.raw !== "\n") return [fence, ...tokens];
  return [{ ...fence, raw: `${fence.raw}\n` }, ...others];
}

/** The number of characters that the lexer has to read: everything but a code block at the beginning of the text, however long that is. */
export const lexedLength = (text: string): number => leadingFence(text)[1].length;

/** The fenced code block at the beginning of a text, as the lexer would read it, and what follows. Finds its end with a single search. */
function leadingFence(text: string): readonly [Tokens.Code | null, string] {
  const [head, fence = "", info = ""] = /^(`{3,}(?=[^`\n]*\n)|~{3,})([^\n]*)\n/.exec(text) ?? [];
  if (head === undefined) return [null, text];
  const close = new RegExp(`\\n {0,3}${fence}${fence[0] ?? ""}* *(?=\\n|$)`, "g");
  // The line break of the first line may be the one before the closing fence.
  close.lastIndex = head.length - 1;
  const end = close.exec(text);
  const raw = end === null ? text : text.slice(0, close.lastIndex);
  const lines = end === null ? text.slice(head.length) : text.slice(head.length, Math.max(head.length, end.index));
  if (!/\S/.test(lines)) return [null, text];
  // A line break at the end of the text begins no line yet.
  const code = end === null && lines.endsWith("\n") ? lines.slice(0, -1) : lines;
  const lang = info.trim().replace(/\\([!"#$%&'()*+,\-./:;<=>?@[\]\\^_`{|}~])/g, "$1");
  const token: Tokens.Code = { type: "code", raw, lang, text: code.endsWith("\n") ? `${code}\n` : code };
  return [token, text.slice(raw.length)];
}
