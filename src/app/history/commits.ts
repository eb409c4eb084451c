import { type Accessor, batch, createSignal } from "solid-js";
import type { HistoryCommit } from "../../protocol/index.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { type HistoryQuestion, readHistory } from "../model/api/history.ts";
import { onChange } from "../ui/on-change.ts";

/** The number of commits requested at first, and then each time. */
const page = { first: 100, older: 200 } as const;

/**
 * A newer list followed by an older one. A commit in both appears once, as in the newer list. Null if the lists don't overlap, so that commits might
 * be missing.
 */
export function withNewer(newer: readonly HistoryCommit[], known: readonly HistoryCommit[]): readonly HistoryCommit[] | null {
  const ids = new Set(known.map(({ id }) => id));
  const meets = newer.findIndex(({ id }) => ids.has(id));
  if (meets === -1) return null;
  const from = known.findIndex(({ id }) => id === newer[meets]?.id);
  return [...newer, ...known.slice(from + newer.length - meets)];
}

/** Which part of the history is shown. */
export interface Shown {
  /** Only changes of this file. */
  readonly path: string | null;
  /** Only changes by this author: `human`, `vibey`, or a dialog's id. */
  readonly by: string | null;
}

/** The history, newest first, as far as it was requested; kept up to date until the owner is disposed. */
export function createCommits(shown: Accessor<Shown>, events: EngineEvents) {
  const question = ({ path, by } = shown()): HistoryQuestion => ({
    path: path ?? undefined,
    ...(by === null ? {} : by === "human" || by === "vibey" ? { by } : { dialog: by }),
  });
  const [commits, setCommits] = createSignal<readonly HistoryCommit[]>([]);
  const [more, setMore] = createSignal(false);
  const [loaded, setLoaded] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  /** Increases with each new request, so that an answer to an earlier one changes nothing. */
  let turn = 0;
  let older = false;
  /** Older commits could not be read: scrolling doesn't request them again. */
  let stuck = false;

  async function refresh() {
    const mine = ++turn;
    older = false;
    stuck = false;
    const answer = await readHistory({ ...question(), limit: page.first });
    if (mine !== turn) return;
    batch(() => {
      setLoaded(true);
      setProblem(answer.ok ? null : answer.message);
      if (!answer.ok) return;
      const joined = withNewer(answer.value.commits, commits());
      setCommits(joined ?? answer.value.commits);
      if (joined === null || joined.length === answer.value.commits.length) setMore(answer.value.more);
    });
  }
  async function loadOlder() {
    const last = commits().at(-1);
    if (!more() || older || stuck || last === undefined) return;
    const mine = turn;
    older = true;
    const answer = await readHistory({ ...question(), before: last.id, limit: page.older });
    if (mine !== turn) return;
    older = false;
    batch(() => {
      setProblem(answer.ok ? null : answer.message);
      stuck = !answer.ok;
      if (!answer.ok) return;
      setCommits([...commits(), ...answer.value.commits]);
      setMore(answer.value.more);
    });
  }
  /** Retries the request that failed. */
  function again(): Promise<void> {
    if (older) return Promise.resolve();
    if (!stuck) return refresh();
    stuck = false;
    return loadOlder();
  }

  onChange([() => shown().path, () => shown().by], () => {
    batch(() => {
      setCommits([]);
      setMore(false);
      setLoaded(false);
      setProblem(null);
    });
    void refresh();
  });
  createListener(events, (event) => {
    if (event.type === "hello" || event.type === "history") void refresh();
  });
  return { commits, more, loaded, problem, loadOlder, again };
}
