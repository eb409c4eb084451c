import type { Schedule } from "../../dialog/schedule.ts";

/** The maximum number of agents that schedules start per hour in the whole project. */
export const maxScheduled = 4;

const minute = 60_000;
const hour = 60 * minute;

/** A dialog that a schedule has started. Times are in milliseconds since 1970. */
export interface ScheduledRun {
  readonly dialogId: string;
  readonly rule: string;
  readonly time: number;
  /** The message that triggered it. Null if there is none. */
  readonly about: { readonly dialogId: string; readonly message: number } | null;
}

/** A dialog whose messages are counted by schedules. */
export interface CountedDialog {
  readonly dialogId: string;
  /** The time of each of its messages. */
  readonly times: readonly number[];
  /** Its agent is running. Its messages are counted when the agent is idle. */
  readonly isBusy: boolean;
}

export interface DueStart {
  readonly schedule: Schedule;
  /** The dialog and the number of its last message. Null if it starts by the clock. */
  readonly about: ScheduledRun["about"];
}

export interface Due {
  readonly starts: readonly DueStart[];
  /** The time of the next start. Null if nothing starts until a file changes. */
  readonly next: number | null;
  /** By rule: its last start, and the time of its next start. `next` is null if it starts now or when messages come. */
  readonly rows: ReadonlyMap<string, { readonly last: ScheduledRun | null; readonly next: number | null }>;
}

/**
 * What has to start now, computed only from the files, so that a reload neither repeats nor forgets a start. `since`: the start time of schedule
 * lines without a `Since`.
 */
export function dueNow(
  schedules: readonly Schedule[],
  facts: {
    readonly runs: readonly ScheduledRun[];
    readonly countedDialogs: readonly CountedDialog[];
    readonly since: number;
    readonly now: number;
  },
): Due {
  const { countedDialogs, now } = facts;
  // Times in files are untrusted: ignore start times in the future. Such a start still counts for its message, so it isn't repeated.
  const runs = facts.runs.filter(({ time }) => time <= now);
  const recent = runs.map(({ time }) => time).filter((time) => time > now - hour);
  const starts: DueStart[] = [];
  const rows = new Map<string, { last: ScheduledRun | null; next: number | null }>();
  let left = maxScheduled - recent.length;
  const held = recent.length === 0 ? now : Math.min(...recent) + hour;
  let next: number | null = null;
  const wait = (time: number) => {
    next = next === null ? time : Math.min(next, time);
    return time;
  };
  for (const schedule of schedules) {
    const own = runs.filter(({ rule }) => rule === schedule.rule);
    const last = own.reduce<ScheduledRun | null>((latest, run) => (latest === null || run.time > latest.time ? run : latest), null);
    const wanted =
      schedule.when.kind === "every"
        ? byClock(schedule, last, now)
        : byMessages(schedule, schedule.when.messages, facts.runs, countedDialogs, facts.since);
    let upcoming: number | null = wanted.next === null ? null : wait(wanted.next);
    for (const about of wanted.starts) {
      if (left > 0) {
        left -= 1;
        starts.push({ schedule, about });
      } else upcoming = wait(Math.max(held, now + 1));
    }
    if (wanted.starts.length > 0 && upcoming === null && schedule.when.kind === "every") wait(now + schedule.when.minutes * minute);
    rows.set(schedule.rule, { last, next: upcoming });
  }
  return { starts, next, rows };
}

interface NextStarts {
  readonly starts: readonly ScheduledRun["about"][];
  readonly next: number | null;
}

function byClock({ when, since }: Schedule, last: ScheduledRun | null, now: number): NextStarts {
  if (when.kind !== "every") return { starts: [], next: null };
  const from = Math.max(last?.time ?? -Infinity, since === null ? -Infinity : Math.min(since, now));
  const time = from + when.minutes * minute;
  return time > now ? { starts: [], next: time } : { starts: [null], next: null };
}

/** The dialogs that have gone past a multiple of `count` messages since the line was written, with no agent started for it yet. */
function byMessages(
  schedule: Schedule,
  count: number,
  runs: readonly ScheduledRun[],
  threads: readonly CountedDialog[],
  since: number,
): NextStarts {
  const from = schedule.since ?? since;
  const starts = threads.flatMap(({ dialogId, times, isBusy }): ScheduledRun["about"][] => {
    const passed = Math.floor((times.length - 1) / count) * count + 1;
    if (isBusy || times.length <= count || (times[passed - 1] ?? 0) < from) return [];
    const isDone = runs.some(({ rule, about }) => rule === schedule.rule && about?.dialogId === dialogId && about.message >= passed);
    return isDone ? [] : [{ dialogId, message: times.length }];
  });
  return { starts, next: null };
}
