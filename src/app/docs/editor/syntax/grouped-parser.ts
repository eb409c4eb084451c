import { type Input, Parser, type PartialParse, type Tree, type TreeFragment } from "@lezer/common";
import type { MarkdownParser } from "@lezer/markdown";
import { type Block, blocksOf, Groups } from "./groups.ts";
import { KnownBlocks } from "./known-blocks.ts";
import { lineStart, newlineFrom } from "./lines.ts";
import { LongFence } from "./long-fence.ts";

/**
 * UTF-16 units: of a group of blocks, of what is parsed at least before it is looked whether the rest is known, and after which a block ends: the markdown
 * parser reads most kinds of blocks in a single step. The next line begins another block then. A fenced block has no limit.
 */
interface Sizes {
  readonly group: number;
  readonly stride: number;
  readonly block: number;
}

const usual: Sizes = { group: 8_192, stride: 512, block: 16_384 };

/**
 * Parses markdown into the same nodes as `markdown` does, but in groups of blocks that a later parse takes over as they are. The markdown parser itself
 * takes over block by block what did not change, and so its work with each key grows with the text.
 *
 * It rests on one property of markdown: what a text becomes from the start of a block on that is in no other one does not depend on what stands before.
 */
export class GroupedParser extends Parser {
  readonly #markdown: MarkdownParser;
  readonly #sizes: Sizes;

  constructor(markdown: MarkdownParser, sizes: Sizes = usual) {
    super();
    this.#markdown = markdown;
    this.#sizes = sizes;
  }

  /** `fragments` are of trees that this parser has made. Parses whole texts only: a text with gaps is no text of ours. */
  override createParse(input: Input, fragments: readonly TreeFragment[], ranges: readonly { from: number; to: number }[]): PartialParse {
    const [first, ...more] = ranges;
    if (first === undefined || more.length > 0 || first.from !== 0 || first.to !== input.length)
      throw new RangeError("a grouped parse is of a whole text");
    return new GroupedParse(this.#markdown, this.#sizes, input, fragments);
  }
}

class GroupedParse implements PartialParse {
  stoppedAt: number | null = null;
  readonly #markdown: MarkdownParser;
  readonly #sizes: Sizes;
  readonly #input: Input;
  readonly #known: KnownBlocks;
  readonly #groups: Groups;
  /** The start of a line in which no block is open: all before it is done. */
  #pos = 0;
  /** Parses from there on, no further than the end of a line. */
  #inner: { readonly parse: PartialParse; readonly to: number } | null = null;
  /** The block that begins here is longer than was thought. */
  #isLong = false;
  /** Where the block that is longer than a block may be ends, which begins at `#pos`; null: there is none. */
  #cut: number | null = null;
  #fence: LongFence | null = null;

  constructor(markdown: MarkdownParser, sizes: Sizes, input: Input, fragments: readonly TreeFragment[]) {
    this.#markdown = markdown;
    this.#sizes = sizes;
    this.#input = input;
    this.#known = new KnownBlocks(input, fragments);
    this.#groups = new Groups(sizes.group);
  }

  get parsedPos(): number {
    return this.#fence?.parsedPos ?? this.#inner?.parse.parsedPos ?? this.#pos;
  }

  stopAt(pos: number): void {
    if (this.stoppedAt !== null && this.stoppedAt < pos) throw new RangeError("a parse that stops can't be told to continue");
    this.stoppedAt = pos;
    if (this.#inner !== null) this.#stop(this.#inner.parse, pos);
  }

  advance(): Tree | null {
    if (this.#fence !== null) return this.#readFence(this.#fence);
    if (this.#inner === null) {
      if (this.#cut === null) this.#pos = this.#known.take(this.#pos, this.#groups);
      if (this.#pos >= this.#input.length || this.#isStopped(this.#pos)) return this.#finish(this.#pos, this.#pos >= this.#input.length);
      this.#inner = this.#begin();
    }
    const { parse, to } = this.#inner;
    const tree = parse.advance();
    if (tree === null) return null;
    this.#inner = null;
    const end = this.#pos + tree.length;
    return this.#gather(tree, to, parse.stoppedAt !== null && end > parse.stoppedAt);
  }

  #begin(): { readonly parse: PartialParse; readonly to: number } {
    const { group, stride, block } = this.#sizes;
    const distance = this.#known.distance(this.#pos);
    const to = this.#cut ?? this.#lineEnd(this.#pos + block);
    const parse = this.#markdown.startParse(this.#input, [], [{ from: this.#pos, to }]);
    // Where nothing is known, no more than a group is parsed at a time; else up to where the rest may be known.
    if (this.#cut === null && !this.#isLong) this.#stop(parse, Math.min(to, this.#pos + (distance === 0 ? group : distance + stride)));
    if (this.stoppedAt !== null) this.#stop(parse, this.stoppedAt);
    return { parse, to };
  }
  /** Tells the inner parse to stop at `pos`, unless it stops before: one that is not told so has parsed the text to its end. */
  #stop(parse: PartialParse, pos: number): void {
    if (pos < this.#input.length && (parse.stoppedAt === null || parse.stoppedAt > pos)) parse.stopAt(pos);
  }
  #isStopped(reached: number): boolean {
    return this.stoppedAt !== null && reached > this.stoppedAt;
  }
  #lineEnd(pos: number): number {
    const { length } = this.#input;
    return pos >= length ? length : newlineFrom(this.#input, pos, length);
  }

  /** Takes what was parsed of the text up to `to`. The last block may continue behind where the parser was stopped, so it is parsed once more. */
  #gather(tree: Tree, to: number, wasStopped: boolean): Tree | null {
    const blocks = Array.from(blocksOf(tree, this.#pos));
    const end = this.#pos + tree.length;
    const isWhole = !wasStopped && to >= this.#input.length;
    const isDone = isWhole || this.#isStopped(end);
    const [first] = blocks;
    if (isDone || (this.#cut !== null && blocks.length === 1)) {
      for (const block of blocks) this.#groups.add(block);
      return isDone ? this.#finish(end, isWhole) : this.#continueAt(to + 1);
    }
    if (first === undefined) return this.#continueAt(end >= to ? to + 1 : lineStart(this.#input, end));
    if (blocks.length === 1) {
      const start = lineStart(this.#input, first.from);
      // How long a block may be is told from where it begins.
      if (start > this.#pos) return this.#continueAt(start);
      if (!wasStopped) return this.#endLong(first, to);
      this.#isLong = true;
      return null;
    }
    let next = end;
    for (const [nth, block] of blocks.entries()) {
      if (nth > 0) {
        next = lineStart(this.#input, block.from);
        if (nth === blocks.length - 1 || this.#known.begins(next)) break;
      }
      this.#groups.add(block);
    }
    return this.#continueAt(next);
  }

  #continueAt(pos: number): null {
    this.#pos = Math.min(pos, this.#input.length);
    this.#isLong = false;
    this.#cut = null;
    return null;
  }

  /** Ends a block that may continue behind `to`. A list ends before an item, so that the rest looks as it would have, unless that is far away. */
  #endLong({ tree, from }: Block, to: number): null {
    this.#isLong = false;
    if (isOpenFence(tree)) this.#fence = new LongFence(this.#input, this.#markdown.nodeSet, tree, from, to + 1);
    else this.#cut = tree.type.name.endsWith("List") ? this.#endOfItem(from, to) : to;
    return null;
  }

  /** The end of the first line from `to` on behind which something begins like the list at `from`. */
  #endOfItem(from: number, to: number): number {
    const last = this.#lineEnd(to + this.#sizes.block);
    const indent = this.#input.read(this.#pos, from);
    const behind = this.#input.read(to, last);
    const item = behind.search(new RegExp(`\\n${indent}(?:[-*+]|\\d{1,9}[.)])(?=\\s|$)`));
    return item < 0 ? last : to + item;
  }

  #readFence(fence: LongFence): Tree | null {
    const { parsedPos } = fence;
    if (this.#isStopped(parsedPos)) {
      this.#groups.add(fence.end(parsedPos - 1));
      return this.#finish(parsedPos, false);
    }
    const fenced = fence.advance();
    if (fenced === null) return null;
    this.#fence = null;
    this.#groups.add(fenced);
    return this.#continueAt(fenced.end);
  }

  /** `isWhole`: the text was parsed to its end. A parser that was stopped leaves out the marks of the line where it stopped. */
  #finish(length: number, isWhole: boolean): Tree {
    const [type] = this.#markdown.nodeSet.types.filter(({ isTop }) => isTop);
    if (type === undefined) throw new Error("the markdown parser has no type for a whole text");
    return this.#groups.finish(type, length, isWhole);
  }
}

const isOpenFence = ({ type, topNode }: Tree) =>
  type.name === "FencedCode" && topNode.getChild("CodeText") !== null && topNode.getChildren("CodeMark").length === 1;
