import { type Accessor, batch, createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import type { DialogEvent } from "../../dialog/events/model.ts";
import type { LogEvent, LogFilter, LogFrame } from "../../protocol/index.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { follow } from "../model/api/follow.ts";
import { openLog, readLog } from "../model/api/log.ts";
import { createProgress } from "../model/api/progress.ts";
import { excludesNothing, matchesFilter } from "./event-filter.ts";

/** Events that are asked for at once, at first and then. */
const page = { first: 100, older: 200 } as const;
/** Events that may come before the engine says that these are all. Of more, as after an import, only the newest are read. */
const maxBehind = 1_000;

/**
 * The events that arrived and match, the newest first, in front of those that are known; each event once. Events of a dialog that the user has
 * edited since are taken away, even when nothing that replaces them matches. The very same list when nothing changed.
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

/** The events that match, newest first, as far as they were asked for; new ones come as they happen, for the life of the owner. */
export function createLog(filter: Accessor<LogFilter>, engine: EngineEvents) {
  const progress = crypto.randomUUID();
  /** How much of the log is built, where that had to be done: a part of 1. */
  const built = createProgress(engine, progress);
  const [events, setEvents] = createSignal<readonly LogEvent[]>([]);
  const [more, setMore] = createSignal(false);
  const [loaded, setLoaded] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  /** The last change was that new events came. */
  const [grewAtTop, setGrewAtTop] = createSignal(false);
  /** Ends what belongs to an earlier question. */
  let turn = new AbortController();
  let older = false;
  /** Older ones could not be read: a scroll doesn't ask for them again. */
  let stuck = false;

  async function begin() {
    turn.abort();
    const mine = new AbortController();
    turn = mine;
    older = false;
    stuck = false;
    const asked = filter();
    // What is followed begins behind all events, not behind the newest one that matches.
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
    /** Those that came together are shown together, when the engine says that these are all. */
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
        // The frame of the page says so when the engine can't be heard.
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

  // The same question in another object is none.
  const question = createMemo(() => JSON.stringify(filter()));
  createEffect(
    on(question, () => {
      batch(() => {
        setGrewAtTop(false);
        setEvents([]);
        setMore(false);
        setLoaded(false);
        setProblem(null);
      });
      void begin();
    }),
  );
  createListener(engine, (event) => {
    if (event.type === "hello" && problem() !== null) void begin();
  });
  onCleanup(() => turn.abort());
  return { events, more, loaded, problem, built, grewAtTop, loadOlder, again };
}
