/** Takes the items of a list one after the other, and adds what it makes of them to another list. */
export interface Maker<In, Out> {
  /** Takes the next item. False: it changed something that was made of the items before it. */
  add(item: In, made: Out[]): boolean;
  /** Forgets all items but the first `count`. */
  cut?(count: number): void;
}

/**
 * A list made of another one, whose making continues from the time before: as far as two lists hold the very same items from the start, what
 * was made of them is made once. So a dialog that grows costs what is new in it, and one that changed in the middle what stands from there
 * on. What is made is held as long as the list's first item is.
 *
 * The answer is the one that a maker gives who takes the items again. What was given out never changes.
 */
export function continuing<In extends object, Out>(begin: () => Maker<In, Out>): (list: readonly In[]) => Out[] {
  const known = new WeakMap<In, Progress<In, Out>>();
  return (list) => {
    const first = list[0];
    if (first === undefined) return [];
    const before = known.get(first) ?? { maker: begin(), list: [], made: [], until: [], isStart: [] };
    const { maker, made, until, isStart } = before;
    // A maker that throws has left nothing to continue from.
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
  /** The list of the time before; anyone who gave it does not change it. */
  readonly list: readonly In[];
  readonly made: Out[];
  /** How much was made before item n. */
  readonly until: number[];
  /** Item n left all as it was that was made before it. */
  readonly isStart: boolean[];
}

/** The index of the first item that is another one; the length of the shorter list when it starts the longer one. */
export function firstDifference(one: readonly unknown[], other: readonly unknown[]): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at++;
  return at;
}

/** The last item before `end` that left all before it as it was: what stands there is settled, whatever comes at `end`. */
function startBefore(isStart: readonly boolean[], end: number): number {
  let at = end - 1;
  while (at > 0 && isStart[at] !== true) at--;
  return Math.max(0, at);
}
