import { type Input, Tree, type TreeFragment } from "@lezer/common";
import { type Block, complete, type Groups } from "./groups.ts";
import { isBlank, lastLines, lineStart } from "./lines.ts";

/** A block of an older tree: the index of its group, and its offset in the older text. */
interface OlderBlock extends Block {
  readonly group: number;
  readonly nth: number;
}

/**
 * What older trees know about unchanged parts of the text. Whether a block ends depends on the line after it, and if that may begin a table, also on
 * the line after that. So a block is known only if both lines are unchanged, or the text ends.
 *
 * All queried positions begin a line where no block is open, and they never go back.
 */
export class KnownBlocks {
  readonly #input: Input;
  readonly #fragments: readonly TreeFragment[];
  #current = 0;
  /** How far the current fragment is certain; null: not determined yet. */
  #certain: number | null = null;

  constructor(input: Input, fragments: readonly TreeFragment[]) {
    this.#input = input;
    this.#fragments = fragments;
  }

  /** Whether a known block begins at `pos`, or after empty lines there. */
  begins(pos: number): boolean {
    return this.#beginning(pos) !== null;
  }

  /** Adds the known blocks from `pos` on to `groups`. Returns the start of the line where the next block begins, or `pos` if no block was known. */
  take(pos: number, groups: Groups): number {
    const found = this.#beginning(pos);
    if (found === null) return pos;
    const { fragment } = found;
    const { tree, offset } = fragment;
    let place: OlderBlock | null = found.place;
    while (place !== null) {
      const group = groupAt(tree, place.group);
      const behind: OlderBlock | null = group === null ? null : placeAt(tree, place.group + 1, 0);
      if (group !== null && place.nth === 0 && this.#endsBefore(fragment, behind)) {
        groups.addGroup({ tree: group.tree, from: group.from - offset });
        place = behind;
        continue;
      }
      const next = after(tree, place);
      if (!this.#endsBefore(fragment, next)) break;
      groups.add({ tree: place.tree, from: place.from - offset });
      place = next;
    }
    return place === null ? this.#input.length : lineStart(this.#input, place.from - offset);
  }

  /** The estimated distance from `pos` to the next known block; 0 if nothing is known. */
  distance(pos: number): number {
    const fragment = this.#at(pos);
    if (fragment === null) return 0;
    if (fragment.from > pos) return fragment.from - pos;
    const place = firstFrom(fragment.tree, pos + fragment.offset);
    return place === null ? 0 : place.from + place.tree.length - fragment.offset - pos;
  }

  #beginning(pos: number): { fragment: TreeFragment; place: OlderBlock } | null {
    const fragment = this.#at(pos);
    if (fragment === null) return null;
    const { tree, offset, from } = fragment;
    // The older text must have had a line start there.
    if (from >= pos && !beginsText(fragment)) return null;
    const place = firstFrom(tree, pos + offset);
    if (place === null || !this.#endsBefore(fragment, after(tree, place))) return null;
    return isBlank(this.#input, pos, place.from - offset) ? { fragment, place } : null;
  }

  /** The fragment that contains `pos`, or the next one after it. */
  #at(pos: number): TreeFragment | null {
    for (;;) {
      const fragment = this.#fragments[this.#current];
      if (fragment === undefined) return null;
      if (fragment.to > pos) return fragment;
      this.#current += 1;
      this.#certain = null;
    }
  }

  /** Whether it is certain that what comes before `next` ends there. `next` null: the end of the older tree. */
  #endsBefore(fragment: TreeFragment, next: OlderBlock | null): boolean {
    this.#certain ??= certainStart(this.#input, fragment);
    return next === null ? this.#certain === Infinity : next.from - fragment.offset <= this.#certain;
  }
}

/** Whether the fragment is at the beginning of both texts. */
const beginsText = ({ from, offset }: TreeFragment) => from === 0 && offset === 0;

/** The offset up to which blocks are certain: a block that begins here or before is unchanged, and so is a block that ended right before. */
function certainStart(input: Input, { from, to, offset, tree }: TreeFragment): number {
  // What a fragment knows about its end is lost with the next change before it.
  const ends = to >= input.length && to + offset === tree.length && tree.prop(complete) === true;
  return ends ? Infinity : lastLines(input, from, to, 2);
}

function groupAt(tree: Tree, group: number): Block | null {
  const found = tree.children[group];
  return found instanceof Tree ? { tree: found, from: tree.positions[group] ?? 0 } : null;
}
function placeAt(tree: Tree, group: number, nth: number): OlderBlock | null {
  const parent = groupAt(tree, group);
  const found = parent?.tree.children[nth];
  return parent !== null && found instanceof Tree
    ? { tree: found, from: parent.from + (parent.tree.positions[nth] ?? 0), group, nth }
    : null;
}
const after = (tree: Tree, { group, nth }: OlderBlock): OlderBlock | null => placeAt(tree, group, nth + 1) ?? placeAt(tree, group + 1, 0);

/** The first block that begins at or after `pos`. */
function firstFrom(tree: Tree, pos: number): OlderBlock | null {
  const group = Math.max(0, countBefore(tree.positions, pos + 1) - 1);
  const parent = groupAt(tree, group);
  if (parent === null) return null;
  const nth = countBefore(parent.tree.positions, pos - parent.from);
  return placeAt(tree, group, nth) ?? placeAt(tree, group + 1, 0);
}
/** How many of these ascending positions are less than `pos`. */
function countBefore(positions: readonly number[], pos: number): number {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) < pos) low = middle + 1;
    else high = middle;
  }
  return low;
}
