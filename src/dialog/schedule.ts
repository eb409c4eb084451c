/*
 * Lines of doc-main.md that start agents while a tab of the project is open: `> Schedule: coder every 60m` and `> Schedule: coder after 20 messages`.
 * Only the user writes them. ` | Since: <time>` at the end says when the line was written.
 */

export interface Schedule {
  /** The text after `> Schedule: `. */
  readonly value: string;
  /** The value without the time at which it was written. It identifies the schedule in the dialogs that the schedule starts. */
  readonly rule: string;
  readonly slug: string;
  readonly when:
    | { readonly kind: "every"; readonly minutes: number }
    /** Counts the messages of a dialog. Starts at one more than this number, and again each time after as many more. */
    | { readonly kind: "after"; readonly messages: number };
  /** Milliseconds since 1970. Null if the line doesn't say. */
  readonly since: number | null;
}

export type ReadSchedule =
  | { readonly ok: true; readonly schedule: Schedule }
  | { readonly ok: false; readonly value: string; readonly why: string };

const most = { minutes: 10_080, messages: 1_000 };
const least = { minutes: 15, messages: 5 };

const RULE = /^([a-z0-9_][a-z0-9_-]{0,39}) (?:every (\d{1,6})(m|h)|after (\d{1,6}) messages)$/;
const SINCE = " | Since: ";

/** Parses the text after `> Schedule: `. */
export function readSchedule(value: string): ReadSchedule {
  const failed = (why: string): ReadSchedule => ({ ok: false, value, why });
  const at = value.indexOf(SINCE);
  const rule = at < 0 ? value : value.slice(0, at);
  const time = at < 0 ? null : value.slice(at + SINCE.length);
  const since = time === null ? null : Date.parse(time);
  const [, slug, count, unit, messages] = RULE.exec(rule) ?? [];
  if (slug === undefined)
    return failed("expected `<agent> every <number>m`, such as `coder every 60m`, or `<agent> after <number> messages`");
  if (since !== null && (Number.isNaN(since) || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time ?? "")))
    return failed("expected a time after Since, such as 2026-11-26T09:00:00.000Z");
  if (count !== undefined) {
    const minutes = Number(count) * (unit === "h" ? 60 : 1);
    if (minutes < least.minutes || minutes > most.minutes) return failed(`expected ${least.minutes}m to ${most.minutes}m (a week)`);
    return { ok: true, schedule: { value, rule, slug, when: { kind: "every", minutes }, since } };
  }
  const number = Number(messages);
  if (number < least.messages || number > most.messages) return failed(`expected ${least.messages} to ${most.messages} messages`);
  return { ok: true, schedule: { value, rule, slug, when: { kind: "after", messages: number }, since } };
}

const LINE = /^> Schedule: (.*)$/;

/** The schedules of doc-main.md, in order. A rule that appears twice gives an error. */
export function docSchedules(main: string): ReadSchedule[] {
  const found = main.split("\n").flatMap((line) => {
    const value = LINE.exec(line)?.[1];
    return value === undefined ? [] : [readSchedule(value)];
  });
  return found.map((one, at) => {
    const isTwice = one.ok && found.some((other, nth) => nth < at && other.ok && other.schedule.rule === one.schedule.rule);
    return isTwice ? { ok: false, value: one.schedule.value, why: "expected once: a line above says the same" } : one;
  });
}

/** A line for a rule, written at this time. */
export const scheduleLine = (rule: string, now: Date): string => `> Schedule: ${rule}${SINCE}${now.toISOString()}`;

/** The text with a line inserted after its last authority line, as `isAuthority` defines it, or appended if there is none. */
export function withLine(text: string, line: string, isAuthority: (line: string) => boolean): string {
  const lines = text.split("\n");
  const last = lines.findLastIndex(isAuthority);
  if (last >= 0) return lines.toSpliced(last + 1, 0, line).join("\n");
  const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return `${text}${gap}${line}\n`;
}

/** The text without the lines of this schedule. */
export const withoutSchedule = (text: string, value: string): string =>
  text
    .split("\n")
    .filter((line) => LINE.exec(line)?.[1] !== value)
    .join("\n");
