import { type Accessor, batch, createMemo, createSignal, onCleanup } from "solid-js";
import type { RunLogFilter, RunLogRow } from "../../protocol/index.ts";
import { readRunLog } from "./load.ts";
import { onChange } from "../ui/on-change.ts";

/** Page size for the first load and for older entries. */
const page = { first: 100, older: 300 } as const;
/** The maximum number of entries that are added at once. If more have arrived, the list is read again. */
const mostBehind = 1_000;

export interface LogQuestion {
  readonly filter: RunLogFilter;
  /** Only entries before this position in the log: a moment of a replay. null: all. */
  readonly before: string | null;
}

/** Matching entries, newest first, as far as they were requested. `grown`: changes whenever there may be newer ones. */
export function createRunLog(question: Accessor<LogQuestion>, grown: Accessor<unknown>) {
  const [entries, setEntries] = createSignal<readonly RunLogRow[]>([]);
  const [loaded, setLoaded] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  /** Whether the last change added new entries. */
  const [grewAtTop, setGrewAtTop] = createSignal(false);
  let more = false;
  let turn = new AbortController();
  let busy = false;
  /** Another moment was requested during a reading. Each reading is completed, so that a replay shows some of them. */
  let again = false;
  /** There may be newer entries than those read. */
  let missed = false;
  /** Older entries could not be read: scrolling doesn't request them again. */
  let stuck = false;
  onCleanup(() => turn.abort());

  async function begin() {
    turn.abort();
    turn = new AbortController();
    const { signal } = turn;
    busy = true;
    again = false;
    missed = false;
    stuck = false;
    const asked = question();
    const until = asked.before === null ? {} : { before: asked.before };
    const answer = await readRunLog(asked.filter, { limit: page.first, ...until }, signal);
    if (signal.aborted) return;
    busy = false;
    batch(() => {
      setLoaded(true);
      setProblem(answer.ok ? null : answer.message);
      if (!answer.ok) return;
      more = answer.value.more;
      setGrewAtTop(false);
      setEntries(answer.value.entries);
    });
    next();
  }
  /** Continues with what was requested during another reading. */
  function next() {
    if (again) void begin();
    else if (missed) void look();
  }
  async function look() {
    const newest = entries()[0];
    if (question().before !== null) return;
    missed = busy;
    if (busy) return;
    if (newest === undefined) return void begin();
    const { signal } = turn;
    busy = true;
    const answer = await readRunLog(question().filter, { since: newest.cursor, limit: mostBehind }, signal);
    if (signal.aborted) return;
    busy = false;
    if (again) return void begin();
    // The log was rebuilt, or so many entries arrived that the list would have a gap.
    if (!answer.ok || answer.value.more) return void begin();
    // Two entries of the same event have the same position.
    const known = new Set(entries().map(({ id }) => id));
    const fresh = answer.value.entries.filter(({ id }) => !known.has(id));
    if (fresh.length > 0)
      batch(() => {
        setGrewAtTop(true);
        setEntries([...fresh, ...entries()]);
      });
    next();
  }
  async function loadOlder() {
    const last = entries().at(-1);
    if (!more || busy || stuck || last === undefined) return;
    const { signal } = turn;
    busy = true;
    const answer = await readRunLog(question().filter, { before: last.cursor, limit: page.older }, signal);
    if (signal.aborted) return;
    busy = false;
    if (again) return void begin();
    batch(() => {
      setProblem(answer.ok ? null : answer.message);
      stuck = !answer.ok;
      if (!answer.ok) return;
      more = answer.value.more;
      setGrewAtTop(false);
      setEntries([...entries(), ...answer.value.entries]);
    });
    next();
  }
  /** Retries the request that failed. */
  function retry(): Promise<void> {
    if (busy) return Promise.resolve();
    if (!stuck) return begin();
    stuck = false;
    return loadOlder();
  }
  const before = createMemo(() => question().before);
  onChange(
    () => before(),
    () => {
      if (busy && loaded()) again = true;
      else void begin();
    },
  );
  const filter = createMemo(() => JSON.stringify(question().filter));
  onChange(
    () => filter(),
    () => void begin(),
    { defer: true },
  );
  onChange(
    // A new object each time: `grown` may return one that was changed in place.
    () => ({ grown: grown() }),
    () => void look(),
    { defer: true },
  );
  return { entries, loaded, problem, grewAtTop, loadOlder, retry };
}
