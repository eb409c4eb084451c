import { NodeProp, NodeType, Tree } from "@lezer/common";

/** A block of the text that is within no other one, and where it begins. */
export interface Block {
  readonly tree: Tree;
  readonly from: number;
}

/** Of the tree of a text that was parsed to its end. */
export const complete = new NodeProp<boolean>({ perNode: true });

/** The blocks of a tree that begins at `from`, in their order. Trees without a name only hold others together. */
export function* blocksOf(tree: Tree, from: number): Generator<Block> {
  for (const [nth, child] of tree.children.entries()) {
    const at = from + (tree.positions[nth] ?? 0);
    if (!(child instanceof Tree)) throw new Error("a block of the syntax must be a tree");
    if (child.type.isAnonymous) yield* blocksOf(child, at);
    else yield { tree: child, from: at };
  }
}

/**
 * Puts a text's blocks into groups, trees without a name, and these into the tree of the text: so a later tree can have most of its groups from this one.
 * `size`: UTF-16 units that a group has at least, unless it is the last one or stands beside a much larger one.
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

  /** Takes a group as another tree has it. A small one is taken apart, so that small ones never gather. */
  addGroup(group: Block): void {
    if (group.tree.length < this.#size / 2) {
      for (const block of blocksOf(group.tree, group.from)) this.add(block);
      return;
    }
    this.#settle();
    this.#done.push(group);
  }

  /** The tree of a text, whose first `length` units were parsed. `whole`: it has no more. */
  finish(type: NodeType, length: number, whole: boolean): Tree {
    this.#settle();
    const trees = this.#done.map(({ tree }) => tree);
    const positions = this.#done.map(({ from }) => from);
    return new Tree(type, trees, positions, length, [[complete, whole]]);
  }

  /** Ends the open group; one that is small goes into the one before. */
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
