/** Takes the items of a list one by one, and adds the results to another list. */
export interface Maker<In, Out> {
  /** Takes the next item. Returns false if it changed a result of earlier items. */
  add(item: In, made: Out[]): boolean;
  /** Forgets all items except the first `count`. */
  cut?(count: number): void;
}

/**
 * Converts a list to another list, reusing the results of the previous call: for the common prefix of the same items, results are computed only
 * once. So a growing dialog only costs its new sections, and a dialog that changed in the middle costs the sections from there on. Results are
 * kept as long as the list's first item exists.
 *
 * The result is the same as from a new maker. Returned lists never change.
 */
export function continuing<In extends object, Out>(begin: () => Maker<In, Out>): (list: readonly In[]) => Out[] {
  const known = new WeakMap<In, Progress<In, Out>>();
  return (list) => {
    const first = list[0];
    if (first === undefined) return [];
    const before = known.get(first) ?? { maker: begin(), list: [], made: [], until: [], isStart: [] };
    const { maker, made, until, isStart } = before;
    // If the maker throws, its state can't be reused.
    known.delete(first);
    const from = startBefore(isStart, firstDifference(before.list, list));
    maker.cut?.(from);
    made.length = until[from] ?? made.length;
    for (let at = from; at < list.length; at++) {
      const item = list[at];
      if (item === undefined) break;
      until[at] = made.length;
      isStart[at] = maker.add(item, made);
    }
    until.length = list.length;
    isStart.length = list.length;
    known.set(first, { ...before, list });
    return made.slice();
  };
}

interface Progress<In, Out> {
  readonly maker: Maker<In, Out>;
  /** The previous list. Its owner doesn't change it. */
  readonly list: readonly In[];
  readonly made: Out[];
  /** How many results there were before item n. */
  readonly until: number[];
  /** Whether item n left all earlier results unchanged. */
  readonly isStart: boolean[];
}

/** The index of the first item that differs. If one list is a prefix of the other, the length of the shorter one. */
export function firstDifference(one: readonly unknown[], other: readonly unknown[]): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at++;
  return at;
}

/** The last item before `end` that left all earlier results unchanged. The results before it are final, whatever comes at `end`. */
function startBefore(isStart: readonly boolean[], end: number): number {
  let at = end - 1;
  while (at > 0 && isStart[at] !== true) at--;
  return Math.max(0, at);
}
