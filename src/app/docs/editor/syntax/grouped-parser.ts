import { type Input, Parser, type PartialParse, type Tree, type TreeFragment } from "@lezer/common";
import type { MarkdownParser } from "@lezer/markdown";
import { blocksOf, Groups } from "./groups.ts";
import { KnownBlocks } from "./known-blocks.ts";
import { lineStart } from "./lines.ts";

/** UTF-16 units: of a group of blocks, and of what is parsed at least before it is looked whether the rest is known. */
interface Sizes {
  readonly group: number;
  readonly stride: number;
}

const usual: Sizes = { group: 8_192, stride: 512 };

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
  /** Parses from there on. */
  #inner: PartialParse | null = null;
  /** The beginning of a block that is longer than was thought, and how many units were parsed for it. */
  #begun: { readonly tree: Tree; readonly length: number } | null = null;

  constructor(markdown: MarkdownParser, sizes: Sizes, input: Input, fragments: readonly TreeFragment[]) {
    this.#markdown = markdown;
    this.#sizes = sizes;
    this.#input = input;
    this.#known = new KnownBlocks(input, fragments);
    this.#groups = new Groups(sizes.group);
  }

  get parsedPos(): number {
    return this.#inner?.parsedPos ?? this.#pos;
  }

  stopAt(pos: number): void {
    if (this.stoppedAt !== null && this.stoppedAt < pos) throw new RangeError("a parse that stops can't be told to continue");
    this.stoppedAt = pos;
    if (this.#inner !== null) this.#stop(this.#inner, pos);
  }

  advance(): Tree | null {
    if (this.#inner === null) {
      const reached = this.#known.take(this.#pos, this.#groups);
      this.#pos = reached;
      if (reached >= this.#input.length || (this.stoppedAt !== null && reached > this.stoppedAt))
        return this.#finish(reached, reached >= this.#input.length);
      this.#inner = this.#begin();
    }
    const tree = this.#inner.advance();
    if (tree === null) return null;
    const { stoppedAt } = this.#inner;
    this.#inner = null;
    return this.#gather(tree, stoppedAt);
  }

  #begin(): PartialParse {
    const { group, stride } = this.#sizes;
    const distance = this.#known.distance(this.#pos);
    // Where nothing is known, no more than a group is parsed at a time; else up to where the rest may be known.
    const length = this.#begun !== null ? this.#begun.length * 4 : distance === 0 ? group : distance + stride;
    const end = this.#pos + length;
    // A block that is longer than a group has parts that are worth taking over.
    const fragments = length > group + stride ? this.#known.within(this.#pos, end, this.#begun?.tree ?? null) : [];
    const inner = this.#markdown.startParse(this.#input, fragments, [{ from: this.#pos, to: this.#input.length }]);
    this.#stop(inner, end);
    if (this.stoppedAt !== null) this.#stop(inner, this.stoppedAt);
    return inner;
  }
  /** Tells the inner parse to stop at `pos`, unless it stops before: one that is not told so has parsed the text to its end. */
  #stop(inner: PartialParse, pos: number): void {
    if (pos < this.#input.length && (inner.stoppedAt === null || inner.stoppedAt > pos)) inner.stopAt(pos);
  }

  /** Takes what was parsed. The last block may continue behind where the parser was stopped, so it is parsed once more. */
  #gather(tree: Tree, stoppedAt: number | null): Tree | null {
    const blocks = Array.from(blocksOf(tree, this.#pos));
    const end = this.#pos + tree.length;
    if (stoppedAt === null || stoppedAt === this.stoppedAt) {
      for (const block of blocks) this.#groups.add(block);
      return this.#finish(end, stoppedAt === null);
    }
    if (blocks.length === 1) {
      this.#begun = { tree, length: Math.max(tree.length, this.#sizes.stride) };
      return null;
    }
    this.#begun = null;
    let next = end;
    for (const [nth, block] of blocks.entries()) {
      if (nth > 0) {
        next = lineStart(this.#input, block.from);
        if (nth === blocks.length - 1 || this.#known.begins(next)) break;
      }
      this.#groups.add(block);
    }
    this.#pos = next;
    return null;
  }

  #finish(length: number, whole: boolean): Tree {
    const [type] = this.#markdown.nodeSet.types.filter(({ isTop }) => isTop);
    if (type === undefined) throw new Error("the markdown parser has no type for a whole text");
    return this.#groups.finish(type, length, whole);
  }
}
