import { NodeProp, NodeType, Tree } from "@lezer/common";

/** A top-level block of the text, and its offset. */
export interface Block {
  readonly tree: Tree;
  readonly from: number;
}

/** Set on the tree of a text that was parsed to its end. */
export const complete = new NodeProp<boolean>({ perNode: true });

/** The blocks of a tree that begins at `from`, in order. Trees without a name only group others. */
export function* blocksOf(tree: Tree, from: number): Generator<Block> {
  for (const [nth, child] of tree.children.entries()) {
    const at = from + (tree.positions[nth] ?? 0);
    if (!(child instanceof Tree)) throw new Error("a block of the syntax must be a tree");
    if (child.type.isAnonymous) yield* blocksOf(child, at);
    else yield { tree: child, from: at };
  }
}

/**
 * Collects a text's blocks into groups (trees without a name), and the groups into the tree of the text, so that a later tree can reuse most groups.
 * `size`: the minimum length of a group in UTF-16 units, unless it is the last one or beside a much larger one.
 */
export class Groups {
  readonly #size: number;
  readonly #done: Block[] = [];
  #open: Block[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  add(block: Block): void {
    this.#open.push(block);
    if (extent(this.#open) >= this.#size) this.#close();
  }

  /** Adds a group of another tree as it is. A small group is split into its blocks, so that small groups don't accumulate. */
  addGroup(group: Block): void {
    if (group.tree.length < this.#size / 2) {
      for (const block of blocksOf(group.tree, group.from)) this.add(block);
      return;
    }
    this.#settle();
    this.#done.push(group);
  }

  /** The tree of a text whose first `length` units were parsed. `whole`: there is no more text. */
  finish(type: NodeType, length: number, whole: boolean): Tree {
    this.#settle();
    const trees = this.#done.map(({ tree }) => tree);
    const positions = this.#done.map(({ from }) => from);
    return new Tree(type, trees, positions, length, [[complete, whole]]);
  }

  /** Ends the open group. A small one is merged into the previous group. */
  #settle(): void {
    const before = this.#done.at(-1);
    const small = extent(this.#open) < this.#size / 2;
    if (small && this.#open.length > 0 && before !== undefined && before.tree.length < this.#size * 1.5) {
      this.#done.pop();
      this.#open.unshift(...blocksOf(before.tree, before.from));
    }
    this.#close();
  }

  #close(): void {
    const [first] = this.#open;
    if (first === undefined) return;
    const trees = this.#open.map(({ tree }) => tree);
    const positions = this.#open.map(({ from }) => from - first.from);
    this.#done.push({ tree: new Tree(NodeType.none, trees, positions, extent(this.#open)), from: first.from });
    this.#open = [];
  }
}

function extent(blocks: readonly Block[]): number {
  const [first, last] = [blocks[0], blocks.at(-1)];
  return first === undefined || last === undefined ? 0 : last.from + last.tree.length - first.from;
}
