import { type Accessor, batch, createMemo, createSignal, onCleanup } from "solid-js";
import type { DialogEvent } from "../../dialog/events/model.ts";
import type { LogEvent, LogFilter, LogFrame } from "../../protocol/index.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { follow } from "../model/api/follow.ts";
import { openLog, readLog } from "../model/api/log.ts";
import { createProgress } from "../model/api/progress.ts";
import { excludesNothing, matchesFilter } from "./event-filter.ts";
import { onChange } from "../ui/on-change.ts";

/** The number of events requested at first, and then each time. */
const page = { first: 100, older: 200 } as const;
/**
 * The number of events that may arrive before the engine says that it has caught up. If there are more, for example after an import, only the newest
 * are read.
 */
const maxBehind = 1_000;

/**
 * The matching events that arrived, newest first, followed by the known ones; each event once. Events from before the user's last edit of their
 * dialog are removed, even if no new event matches. Returns the same list if nothing changed.
 */
export function withArrived(
  arrived: readonly LogEvent[],
  known: readonly LogEvent[],
  matches: (event: LogEvent) => boolean = () => true,
): readonly LogEvent[] {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = arrived.filter(({ id }) => !ids.has(id));
  if (fresh.length === 0) return known;
  const last = new Map<string, number>();
  for (const event of fresh) if (event.type !== "commit") last.set(event.dialogId, 0);
  const all = [...fresh.toReversed(), ...known];
  for (const event of all) {
    const most = event.type === "commit" ? undefined : last.get(event.dialogId);
    if (event.type !== "commit" && most !== undefined) last.set(event.dialogId, Math.max(most, generationOf(event)));
  }
  const isCurrent = (event: LogEvent) => event.type === "commit" || generationOf(event) >= (last.get(event.dialogId) ?? 0);
  const shown = all.filter((event, nth) => isCurrent(event) && (nth >= fresh.length || matches(event)));
  return shown.length === known.length && shown[0] === known[0] ? known : shown;
}

/** How often the user had edited the dialog. */
const generationOf = ({ id, dialogId }: DialogEvent): number => Number.parseInt(id.slice(dialogId.length + 1), 10);

/** Matching events, newest first, as far as they were requested. New events are added as they happen, until the owner is disposed. */
export function createLog(filter: Accessor<LogFilter>, engine: EngineEvents) {
  const progress = crypto.randomUUID();
  /** The progress of rebuilding the log, from 0 to 1, if that was necessary. */
  const built = createProgress(engine, progress);
  const [events, setEvents] = createSignal<readonly LogEvent[]>([]);
  const [more, setMore] = createSignal(false);
  const [loaded, setLoaded] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  /** Whether the last change added new events. */
  const [grewAtTop, setGrewAtTop] = createSignal(false);
  /** Aborts what belongs to an earlier filter. */
  let turn = new AbortController();
  let older = false;
  /** Older events could not be read: scrolling doesn't request them again. */
  let stuck = false;

  async function begin() {
    turn.abort();
    const mine = new AbortController();
    turn = mine;
    older = false;
    stuck = false;
    const asked = filter();
    // Following starts after the newest event of all, not after the newest one that matches.
    const head = excludesNothing(asked) ? null : await readLog({}, { limit: 1, progress }, mine.signal);
    if (mine.signal.aborted) return;
    const answer = head === null || head.ok ? await readLog(asked, { limit: page.first, progress }, mine.signal) : head;
    if (mine.signal.aborted) return;
    batch(() => {
      setLoaded(true);
      setProblem(answer.ok ? null : answer.message);
      if (!answer.ok) return;
      setGrewAtTop(false);
      setEvents(answer.value.events);
      setMore(answer.value.more);
    });
    if (!answer.ok) return;
    const newest = head?.ok ? head.value.events[0] : answer.value.events[0];
    void followFrom(newest?.cursor ?? null, asked, mine.signal);
  }

  function followFrom(start: string | null, asked: LogFilter, signal: AbortSignal) {
    let since = start;
    /** Events that arrive together are shown together, when the engine says that it has caught up. */
    let arrived: LogEvent[] = [];
    function show() {
      const shown = withArrived(arrived, events(), (event) => matchesFilter(event, asked));
      arrived = [];
      if (shown === events()) return;
      batch(() => {
        setGrewAtTop(true);
        setEvents(shown);
      });
    }
    return follow<LogFrame>(
      {
        open: (ended) => openLog(since, ended),
        frame(frame) {
          switch (frame.type) {
            case "hello":
            case "live":
              return true;
            case "log":
              if (!frame.restarted || since === null) return true;
              void begin();
              return false;
            case "event":
              arrived.push(frame.event);
              since = frame.event.cursor;
              if (arrived.length <= maxBehind) return true;
              void begin();
              return false;
            case "current":
              since = frame.cursor;
              show();
              return true;
          }
        },
        // The window's frame reports when the engine can't be reached.
        lost: () => {},
        missing: () => {},
      },
      signal,
    );
  }

  async function loadOlder() {
    const last = events().at(-1);
    if (!more() || older || stuck || last === undefined) return;
    const { signal } = turn;
    older = true;
    const answer = await readLog(filter(), { before: last.cursor, limit: page.older }, signal);
    if (signal.aborted) return;
    older = false;
    batch(() => {
      setProblem(answer.ok ? null : answer.message);
      stuck = !answer.ok;
      if (!answer.ok) return;
      setGrewAtTop(false);
      setEvents([...events(), ...answer.value.events]);
      setMore(answer.value.more);
    });
  }
  /** Retries the request that failed. */
  function again(): Promise<void> {
    if (older) return Promise.resolve();
    if (!stuck) return begin();
    stuck = false;
    return loadOlder();
  }

  // The same filter in a new object isn't a change.
  const question = createMemo(() => JSON.stringify(filter()));
  onChange(
    () => question(),
    () => {
      batch(() => {
        setGrewAtTop(false);
        setEvents([]);
        setMore(false);
        setLoaded(false);
        setProblem(null);
      });
      void begin();
    },
  );
  createListener(engine, (event) => {
    if (event.type === "hello" && problem() !== null) void begin();
  });
  onCleanup(() => turn.abort());
  return { events, more, loaded, problem, built, grewAtTop, loadOlder, again };
}
