import { type Input, type NodeSet, NodeType, Tree } from "@lezer/common";
import type { Block } from "./groups.ts";
import { newlineFrom } from "./lines.ts";

/** UTF-16 units that are searched in one step. */
const piece = 65_536;

/** A fenced block, and the start of the line after it. */
export interface Fenced extends Block {
  readonly end: number;
}

/**
 * Finds the end of a fenced block outside of lists and quotes, and creates its nodes. The Markdown parser would read it line by line in a single
 * step, but only the first line that closes it matters.
 */
export class LongFence {
  readonly #input: Input;
  readonly #nodes: NodeSet;
  readonly #begun: Tree;
  readonly #from: number;
  readonly #closing: RegExp;
  /** The start of a line. No line before it closes the block. */
  #at: number;

  /** `begun`: the block as far as it was parsed, beginning at `from`. `at`: the start of the next line. */
  constructor(input: Input, nodes: NodeSet, begun: Tree, from: number, at: number) {
    this.#input = input;
    this.#nodes = nodes;
    this.#begun = begun;
    this.#from = from;
    this.#at = at;
    const mark = begun.topNode.getChild("CodeMark");
    if (mark === null) throw new Error("a fenced block begins with a mark");
    const sign = input.read(from + mark.from, from + mark.from + 1);
    this.#closing = new RegExp(`(?:^|\\n)( {0,3})(${sign}{${mark.to - mark.from},})[ \\t\\r]*(?=\\n|$)`);
  }

  get parsedPos(): number {
    return this.#at;
  }

  /** Searches the next lines; null: the block continues after them. */
  advance(): Fenced | null {
    const end = newlineFrom(this.#input, Math.min(this.#at + piece, this.#input.length), this.#input.length);
    const text = this.#input.read(this.#at, end);
    const found = this.#closing.exec(text);
    if (found !== null) {
      const [all, indent = "", mark = ""] = found;
      const start = this.#at + found.index + (all.startsWith("\n") ? 1 : 0);
      const from = start + indent.length;
      const to = this.#at + found.index + all.length;
      return {
        from: this.#from,
        tree: this.#build(start - 1, { from, to: from + mark.length }, to),
        end: Math.min(to + 1, this.#input.length),
      };
    }
    if (end === this.#input.length) return { ...this.end(end), end };
    this.#at = end + 1;
    return null;
  }

  /** The block, as if the text ended at `to`. */
  end(to: number): Block {
    return { tree: this.#build(to, null, to), from: this.#from };
  }

  #build(codeEnd: number, closing: { readonly from: number; readonly to: number } | null, to: number): Tree {
    const { topNode } = this.#begun;
    const parts = ["CodeMark", "CodeInfo"]
      .flatMap((name) => topNode.getChild(name) ?? [])
      .map(({ name, from, to: end }) => ({ name, from, to: end }));
    const code = topNode.getChild("CodeText");
    if (code !== null) parts.push({ name: "CodeText", from: code.from, to: codeEnd - this.#from });
    if (closing !== null) parts.push({ name: "CodeMark", from: closing.from - this.#from, to: closing.to - this.#from });
    const trees = parts.map(({ name, from, to: end }) => new Tree(this.#type(name), [], [], end - from));
    return new Tree(
      this.#begun.type,
      trees,
      parts.map(({ from }) => from),
      to - this.#from,
    );
  }

  #type(name: string): NodeType {
    return this.#nodes.types.find((type) => type.name === name) ?? NodeType.none;
  }
}
