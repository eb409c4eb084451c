import { expect, it } from "vitest";
import { consoleLimits, type ConsoleState, withLine } from "../../../src/app/preview/lines.ts";

const empty: ConsoleState = { lines: [], gone: 0, errors: 0, warnings: 0 };
const after = (...lines: readonly (readonly [string, string])[]) =>
  lines.reduce((state, [level, text]) => withLine(state, level, text), empty);

it("counts errors and warnings, and what comes again", () => {
  expect(after(["log", "a"], ["error", "b"], ["error", "b"], ["warn", "b"], ["log", "a"])).toEqual({
    lines: [
      { level: "log", text: "a", times: 1 },
      { level: "error", text: "b", times: 2 },
      { level: "warn", text: "b", times: 1 },
      { level: "log", text: "a", times: 1 },
    ],
    gone: 0,
    errors: 2,
    warnings: 1,
  });
});

it("takes a level that there is not for a plain line", () => expect(after(["<b>", "a"]).lines[0]?.level).toBe("log"));

it("keeps the last lines and says how many are gone", () => {
  const state = after(...Array.from({ length: consoleLimits.lines + 12 }, (_each, at) => ["error", String(at)] as const));
  expect(state.lines).toHaveLength(consoleLimits.lines);
  expect(state.lines[0]?.text).toBe("12");
  expect([state.gone, state.errors]).toEqual([12, consoleLimits.lines + 12]);
});
