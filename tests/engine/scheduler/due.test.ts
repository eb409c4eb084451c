import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guardDoc } from "../../../src/dialog/authority.ts";
import { inactiveDoc } from "../../../src/dialog/imported-doc.ts";
import { docSchedules, readSchedule, type Schedule, scheduleLine, withoutSchedule } from "../../../src/dialog/schedule.ts";
import { dueNow, maxScheduled, type ScheduledRun, type CountedDialog } from "../../../src/engine/scheduler/due.ts";

const minute = 60_000;
const now = Date.parse("2026-11-26T12:00:00.000Z");
const schedule = (value: string): Schedule => {
  const read = readSchedule(value);
  if (!read.ok) throw new Error(read.why);
  return read.schedule;
};
const run = (rule: string, minutesAgo: number, about: ScheduledRun["about"] = null): ScheduledRun => ({
  dialogId: `x${minutesAgo}`,
  rule,
  time: now - minutesAgo * minute,
  about,
});
const counted = (count: number, minutesAgo = 1, more: Partial<CountedDialog> = {}): CountedDialog => ({
  dialogId: "game",
  times: Array.from({ length: count }, () => now - minutesAgo * minute),
  isBusy: false,
  ...more,
});
const due = (values: readonly string[], facts: Partial<Parameters<typeof dueNow>[1]> = {}) => {
  const found = dueNow(values.map(schedule), { runs: [], countedDialogs: [], since: now - 10 * minute, now, ...facts });
  const starts = found.starts.map(
    ({ schedule: { slug }, about }) => `${slug}${about === null ? "" : ` ${about.dialogId} ${about.message}`}`,
  );
  return [starts.join(", "), found.next === null ? null : (found.next - now) / minute];
};

describe("a line is read, or says what was expected", () => {
  test.each([
    ["coder every 60m", "coder every 60m", null],
    ["coder every 2h", "coder every 2h", null],
    ["a-b after 20 messages | Since: 2026-11-26T09:00:00.000Z", "a-b after 20 messages", Date.parse("2026-11-26T09:00:00.000Z")],
  ])("%s", (value, rule, since) => expect(schedule(value)).toMatchObject({ value, rule, since }));

  test.each([
    ["coder", /^expected `<agent> every/],
    ["coder every hour", /^expected `<agent> every/],
    ["Coder every 60m", /^expected `<agent> every/],
    ["coder every 5m", /^expected 15m to 10080m/],
    ["coder every 900h", /^expected 15m to 10080m/],
    ["coder after 2 messages", /^expected 5 to 1000 messages/],
    ["coder every 60m | Since: today", /^expected a time after Since/],
  ])("%s", (value, why) => expect(readSchedule(value)).toMatchObject({ ok: false, value, why: expect.stringMatching(why) }));

  test("each rule counts once, and is taken away as it was written", () => {
    const line = scheduleLine("coder every 60m", new Date(now));
    const main = `# Game\n${line}\n> Schedule: coder every 60m\n> Schedule imported: x every 60m\n`;
    expect(docSchedules(main).map((one) => one.ok)).toEqual([true, false]);
    expect(withoutSchedule(main, line.slice("> Schedule: ".length))).toBe(
      "# Game\n> Schedule: coder every 60m\n> Schedule imported: x every 60m\n",
    );
  });
});

test("only the user writes a schedule, and one that was imported starts nothing", () => {
  const line = "> Schedule: coder every 60m\n";
  for (const [before, after] of [
    ["", line],
    [line, ""],
    ["x\n", `x\n\u200B${line}`],
  ] as const)
    expect(guardDoc(before, after).ok).toBe(false);
  expect(docSchedules(inactiveDoc(line).text)).toEqual([]);
});

describe("by the clock", () => {
  const rule = "coder every 60m";
  test.each<[what: string, value: string, runs: readonly ScheduledRun[], starts: string, next: number | null]>([
    ["a line without a time starts at once", rule, [], "coder", 60],
    ["one that was just written starts after its time", `${rule} | Since: ${new Date(now - 10 * minute).toISOString()}`, [], "", 50],
    ["after the last start", rule, [run(rule, 20)], "", 40],
    ["when the time has passed", rule, [run(rule, 60)], "coder", 60],
    ["another rule is another schedule", rule, [run("coder every 30m", 20)], "coder", 60],
    ["a time to come holds nothing back", rule, [run(rule, -500)], "coder", 60],
    ["four in the last hour hold it back", rule, [1, 2, 3, 59].map((ago) => run("x every 15m", ago)), "", 1],
  ])("%s", (_what, value, runs, starts, next) => expect(due([value], { runs })).toEqual([starts, next]));
});

describe("by messages", () => {
  const rule = "coder after 20 messages";
  test.each<[what: string, countedDialogs: readonly CountedDialog[], runs: readonly ScheduledRun[], starts: string]>([
    ["not at the 20th", [counted(20)], [], ""],
    ["at the 21st", [counted(21)], [], "coder game 21"],
    ["not again before the 41st", [counted(40)], [run(rule, 3, { dialogId: "game", message: 21 })], ""],
    ["at the 41st", [counted(41)], [run(rule, 3, { dialogId: "game", message: 22 })], "coder game 41"],
    ["one start for a dialog that has passed several", [counted(70)], [], "coder game 70"],
    ["not again once the clock was set back", [counted(21)], [run(rule, -30, { dialogId: "game", message: 21 })], ""],
    ["not while its agent works", [counted(21, 1, { isBusy: true })], [], ""],
    ["not for what was said before the line was written", [counted(21, 30)], [], ""],
  ])("%s", (_what, countedDialogs, runs, starts) => expect(due([rule], { countedDialogs, runs })[0]).toBe(starts));
});

test("law: no hour has more starts than allowed, and what has started isn't started again", () => {
  const values = fc.subarray(["a every 15m", "b every 60m", "c after 5 messages", "d every 20m"]);
  fc.assert(
    fc.property(values, fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 }), (lines, steps) => {
      const runs: ScheduledRun[] = [];
      let time = now;
      for (const [at, step] of steps.entries()) {
        time += step * minute;
        const countedDialogs = [{ dialogId: "game", times: Array.from({ length: at }, () => time), isBusy: false }];
        const facts = { runs, countedDialogs, since: 0, now: time };
        for (const { schedule: one, about } of dueNow(lines.map(schedule), facts).starts)
          runs.push({ dialogId: `${runs.length}`, rule: one.rule, time, about });
        expect(runs.filter((one) => one.time > time - 60 * minute).length).toBeLessThanOrEqual(maxScheduled);
        const again = dueNow(lines.map(schedule), { ...facts, runs });
        expect(again.starts).toEqual([]);
        if (lines.some((line) => line.includes("every"))) expect(again.next).toBeGreaterThan(time);
      }
    }),
    { numRuns: 200 },
  );
});
