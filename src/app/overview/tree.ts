import type { DialogListing } from "../../protocol/index.ts";
import { slugOf } from "../docs/names.ts";
import { type GroupName, groupOf } from "../dialogs/dialog-group.ts";

/** A dialog's place in the tree. */
export interface Branch {
  readonly id: string;
  /** Counted from 1, the level of dialogs that the user started. */
  readonly level: number;
  /** The number of dialogs that it launched itself. */
  readonly children: number;
  /** The index among the children of the same parent, counted from 1, and their number. */
  readonly nth: number;
  readonly of: number;
}

/** The maximum number of levels. The limit on agents that launch agents is far lower. */
const deepest = 50;

/**
 * All dialogs, each below the one that launched it. Dialogs that the user started come newest first, the others in the order of their launch. The
 * order depends only on what never changes in a dialog, so that activity moves no row. A dialog whose launcher is gone, or whose launchers form a
 * circle, is on the first level.
 */
export function treeOf(dialogs: readonly Pick<DialogListing, "dialogId" | "launchedBy">[]): readonly Branch[] {
  const parents = new Map(dialogs.map(({ dialogId, launchedBy }) => [dialogId, launchedBy ?? null]));
  const below = new Map<string, string[]>();
  const roots: string[] = [];
  const byId = dialogs.map(({ dialogId }) => dialogId).toSorted();
  for (const id of byId) {
    const parent = parents.get(id) ?? null;
    if (parent === null || !parents.has(parent) || isCircle(id, parents)) roots.push(id);
    else if (below.get(parent)?.push(id) === undefined) below.set(parent, [id]);
  }
  const result: Branch[] = [];
  const add = (ids: readonly string[], level: number) => {
    for (const [index, id] of ids.entries()) {
      const children = below.get(id) ?? [];
      result.push({ id, level, children: children.length, nth: index + 1, of: ids.length });
      add(children, level + 1);
    }
  };
  add(roots.toReversed(), 1);
  return result;
}

/** Whether the chain of launchers leads back to the dialog, or does not end. */
function isCircle(id: string, parents: ReadonlyMap<string, string | null>): boolean {
  let steps = 0;
  for (let above = parents.get(id) ?? null; above !== null; above = parents.get(above) ?? null) {
    steps += 1;
    if (above === id || steps > deepest) return true;
  }
  return false;
}

/** Which dialogs show. */
export type Filter = "all" | "waiting" | "running" | "stopped";
export const filters: readonly Filter[] = ["all", "waiting", "running", "stopped"];

const filterOf: Readonly<Record<GroupName, Filter | null>> = {
  waiting: "waiting",
  running: "running",
  queued: "running",
  stopped: "stopped",
  done: null,
};

export const passes = (one: DialogListing, filter: Filter, text: string): boolean =>
  (filter === "all" || filterOf[groupOf(one)] === filter) && (text === "" || slugOf(one.dialogId).toLowerCase().includes(text));

export interface Counts {
  readonly all: number;
  readonly waiting: number;
  /** Includes queued dialogs. */
  readonly running: number;
  readonly queued: number;
  readonly stopped: number;
  /** Totals of all dialogs whose values are known. */
  readonly tokens: number;
  readonly nanos: number;
}

export function countsOf(dialogs: readonly DialogListing[]): Counts {
  const counts = { all: dialogs.length, waiting: 0, running: 0, queued: 0, stopped: 0, tokens: 0, nanos: 0 };
  for (const one of dialogs) {
    const place = groupOf(one);
    const filter = filterOf[place];
    if (filter !== null && filter !== "all") counts[filter] += 1;
    if (place === "queued") counts.queued += 1;
    counts.tokens += one.tokens ?? 0;
    counts.nanos += one.cost ?? 0;
  }
  return counts;
}

/** The branches that show while these are folded. */
export function unfolded(tree: readonly Branch[], folded: ReadonlySet<string>): readonly Branch[] {
  if (folded.size === 0) return tree;
  const result: Branch[] = [];
  /** Deeper branches are folded. */
  let within = Infinity;
  for (const branch of tree) {
    if (branch.level > within) continue;
    within = folded.has(branch.id) ? branch.level : Infinity;
    result.push(branch);
  }
  return result;
}
