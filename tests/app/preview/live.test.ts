import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLive, liveTimes } from "../../../src/app/preview/live.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs `a@100 b@150`: a change of each path at its millisecond. Returns the reloads: `450: a b`. */
function run(notation: string): string[] {
  const starts: string[] = [];
  const live = createLive(
    (paths) => starts.push(`${Date.now() - begin}: ${[...paths].join(" ")}`),
    () => Date.now(),
  );
  const begin = Date.now();
  for (const change of notation.split(" ")) {
    const [path = "", at] = change.split("@");
    vi.advanceTimersByTime(begin + Number(at) - Date.now());
    live.add(path);
  }
  vi.advanceTimersByTime(10_000);
  return starts;
}

it.each([
  ["a@0", ["300: a"]],
  ["a@0 b@200 a@400", ["700: a b"]],
  ["a@0 b@1000", ["300: a", "1800: b"]],
  ["a@0 b@5000", ["300: a", "5300: b"]],
])("%s", (notation, starts) => expect(run(notation)).toEqual(starts));

it("starts a page seldom while hundreds of files are written, and shows the last state", () => {
  const changes = Array.from({ length: 600 }, (_each, at) => `f${at}@${at * 20}`);
  const starts = run(changes.join(" "));
  expect(starts.length).toBeLessThanOrEqual(1 + 12_000 / liveTimes.longest);
  expect(starts.at(-1)).toMatch(/ f599$/);
});
