import type { LimitsInForce } from "./doc-limits.ts";

/**
 * An immutable state of who runs and who waits.
 *
 * - A dialog with a user's message goes first, then lower `priority`. Within the same priority, first come, first served.
 * - A launch counts for an hour from the moment it begins, not while it waits.
 */
export interface QueueState<T> {
  readonly running: readonly T[];
  readonly waiting: readonly WaitingEntry<T>[];
  /** When launched agents began, in milliseconds since 1970, ascending. */
  readonly launches: readonly number[];
}

export interface WaitingEntry<T> {
  readonly who: T;
  /** An agent launched it, and it has not begun yet. */
  readonly launched: boolean;
  /** Whether it has everything it needs besides a free slot. Left out if it needs nothing else. */
  readonly isReady?: () => boolean;
  /** Lower starts first. Default: -1 for a dialog the user wrote to, 1 for one an agent launched. */
  readonly priority?: number;
  /** Why its run blocks it while `running` run, as a sentence. Null if it doesn't. */
  readonly blockedReason?: (running: readonly unknown[]) => string | null;
}

export type BlockedBy =
  | { readonly by: "agents" }
  /** It lacks something. Later entries may start before it. */
  | { readonly by: "needs" }
  /** Its run blocks it. Later entries may start before it. */
  | { readonly by: "run"; readonly why: string }
  /** `until`: the earliest start time; null if it can never start. */
  | { readonly by: "launches"; readonly until: number | null };

export interface QueuePosition<T> {
  readonly who: T;
  readonly ahead: number;
  readonly blockedBy: BlockedBy;
}

export interface Admission<T> {
  readonly queue: QueueState<T>;
  readonly started: readonly T[];
  /** The entries that still wait, in order. */
  readonly positions: readonly QueuePosition<T>[];
}

/** The period in which launches are counted, in milliseconds. */
export const hour = 3_600_000;

export function join<T>(queue: QueueState<T>, entry: WaitingEntry<T>): QueueState<T> {
  const later = queue.waiting.findIndex((other) => rank(other) > rank(entry));
  return { ...queue, waiting: queue.waiting.toSpliced(later < 0 ? queue.waiting.length : later, 0, entry) };
}

/** Default rank: -1 for the user's own dialogs, 1 for launched ones (the depth of a launch from a user's dialog). */
const rank = ({ launched, priority = launched ? 1 : -1 }: Pick<WaitingEntry<unknown>, "launched" | "priority">): number => priority;

export function leave<T>(queue: QueueState<T>, who: T): QueueState<T> {
  return { ...queue, running: queue.running.filter((one) => one !== who), waiting: queue.waiting.filter((one) => one.who !== who) };
}

/** Starts every waiting dialog that the limits allow. `now` is read only when an agent's launch waits. */
export function admit<T>(queue: QueueState<T>, limits: Pick<LimitsInForce, "agents" | "launches">, now: () => number): Admission<T> {
  const running = [...queue.running];
  const launchWaits = queue.waiting.some(({ launched }) => launched);
  const time = launchWaits ? now() : 0;
  // If the clock was set back, launches can be in the future. Count them as of now, so that the wait doesn't last until a time that may be years
  // away.
  let launches = queue.launches.filter((began) => began > time - hour).map((began) => (launchWaits ? Math.min(began, time) : began));
  const started: T[] = [];
  const waiting: WaitingEntry<T>[] = [];
  const blockedBy: BlockedBy[] = [];
  const starts = [...launches];
  for (const entry of queue.waiting) {
    if (entry.isReady?.() === false) {
      waiting.push(entry);
      blockedBy.push({ by: "needs" });
      continue;
    }
    const why = entry.blockedReason?.(running) ?? null;
    if (why !== null) {
      waiting.push(entry);
      blockedBy.push({ by: "run", why });
      continue;
    }
    const until = entry.launched ? nextLaunch(starts, limits.launches.value, time) : time;
    if (entry.launched && until !== null) starts.push(until);
    const early = until === null || until > time;
    if (!early && running.length < limits.agents.value) {
      running.push(entry.who);
      started.push(entry.who);
      if (entry.launched) launches = [...launches, time];
    } else {
      waiting.push(entry);
      blockedBy.push(early ? { by: "launches", until } : { by: "agents" });
    }
  }
  return {
    // If no launch is waiting, the clock wasn't read, so keep all launch times.
    queue: { running, waiting, launches },
    started,
    positions: waiting.map(({ who }, ahead) => ({ who, ahead, blockedBy: blockedBy[ahead] ?? { by: "agents" } })),
  };
}

/** When another launch may begin after launches that began, or will begin, at `starts`. Null if never. */
function nextLaunch(starts: readonly number[], most: number, now: number): number | null {
  if (most === 0) return null;
  const before = starts[starts.length - most];
  return before === undefined ? now : Math.max(now, before + hour);
}
