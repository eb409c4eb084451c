import { type Input, Parser, type PartialParse, type Tree, type TreeFragment } from "@lezer/common";
import type { MarkdownParser } from "@lezer/markdown";
import { type Block, blocksOf, Groups } from "./groups.ts";
import { KnownBlocks } from "./known-blocks.ts";
import { lineStart, newlineFrom } from "./lines.ts";
import { LongFence } from "./long-fence.ts";

/**
 * Sizes in UTF-16 units. `group`: of a group of blocks. `stride`: how far to parse at least before checking whether the rest is known. `block`: the
 * length after which a block is ended, because the Markdown parser reads most kinds of blocks in a single step; the next line then begins another
 * block. Fenced blocks have no limit.
 */
interface Sizes {
  readonly group: number;
  readonly stride: number;
  readonly block: number;
}

const usual: Sizes = { group: 8_192, stride: 512, block: 16_384 };

/**
 * Parses Markdown into the same nodes as `markdown` does, but in groups of blocks that a later parse can reuse as they are. The Markdown parser
 * itself reuses unchanged blocks one by one, so its work per key press grows with the length of the text.
 *
 * This relies on a property of Markdown: how a text is parsed from the start of a top-level block does not depend on what is before it.
 */
export class GroupedParser extends Parser {
  readonly #markdown: MarkdownParser;
  readonly #sizes: Sizes;

  constructor(markdown: MarkdownParser, sizes: Sizes = usual) {
    super();
    this.#markdown = markdown;
    this.#sizes = sizes;
  }

  /** `fragments` must be of trees made by this parser. Parses whole texts only; our texts have no gaps. */
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
  /** The start of a line where no block is open: everything before it is done. */
  #pos = 0;
  /** The parse from `#pos` on, up to the end of a line at most. */
  #inner: { readonly parse: PartialParse; readonly to: number } | null = null;
  /** The block at `#pos` turned out to be longer than expected. */
  #isLong = false;
  /** The end of an overlong block that begins at `#pos`; null if there is none. */
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
    // If nothing after this is known, parses at most one group at a time; else up to where the rest may be known.
    if (this.#cut === null && !this.#isLong) this.#stop(parse, Math.min(to, this.#pos + (distance === 0 ? group : distance + stride)));
    if (this.stoppedAt !== null) this.#stop(parse, this.stoppedAt);
    return { parse, to };
  }
  /** Tells the inner parse to stop at `pos`, unless it stops earlier. Without such a stop, it has parsed the text to its end. */
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

  /** Takes the parsed blocks up to `to`. The last block may continue after the point where the parser stopped, so it is parsed again. */
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
      // The length of a block is measured from its beginning.
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

  /**
   * Ends a block that may continue after `to`. A list is ended before an item, so that the rest looks the same as before, unless the next item is far
   * away.
   */
  #endLong({ tree, from }: Block, to: number): null {
    this.#isLong = false;
    if (isOpenFence(tree)) this.#fence = new LongFence(this.#input, this.#markdown.nodeSet, tree, from, to + 1);
    else this.#cut = tree.type.name.endsWith("List") ? this.#endOfItem(from, to) : to;
    return null;
  }

  /** The end of the first line from `to` on that is followed by an item of the list at `from`. */
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

  /** `isWhole`: the text was parsed to its end. A stopped parser leaves out the marks of the line where it stopped. */
  #finish(length: number, isWhole: boolean): Tree {
    const [type] = this.#markdown.nodeSet.types.filter(({ isTop }) => isTop);
    if (type === undefined) throw new Error("the markdown parser has no type for a whole text");
    return this.#groups.finish(type, length, isWhole);
  }
}

const isOpenFence = ({ type, topNode }: Tree) =>
  type.name === "FencedCode" && topNode.getChild("CodeText") !== null && topNode.getChildren("CodeMark").length === 1;
