import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Dialog, Part, Section } from "../../../src/dialog/model.ts";
import { type Turn, turnsOf } from "../../../src/engine/prompt/turns.ts";
import { assistant, call, dialog, meta, ran, user } from "./notation.ts";

const full = meta("Context", "used=164000 window=200000");
const notice = /\n\n\[Vibey: (\d+)% of this model's context window is used \(\d+ of \d+ tokens\)\. [^\]]*\]$/;

/** The texts of each turn, one per line; ` + 82%` marks a notice after the text. */
function show(given: Dialog): string[] {
  return turnsOf(given, 64).flatMap((turn) => texts(turn).map((text) => text.replace(notice, " + $1%")));
}

function texts(turn: Turn): string[] {
  return turn.role === "user" ? [turn.text] : turn.items.map((item) => (item.kind === "text" ? item.text : item.call.outcome.text));
}

test("behind the outcome of the last call", () => {
  expect(show(dialog(user("go"), assistant("I look.", ran("a", "one"), ran("b", "two"), full), assistant("Done.")))).toEqual([
    "go",
    "I look.",
    "one",
    "two + 82%",
    "Done.",
  ]);
});

test("behind the next words of the human when there was no call", () => {
  expect(show(dialog(user("go"), assistant("Done.", full), user("more"), assistant("Well."), user("and more")))).toEqual([
    "go",
    "Done.",
    "more + 82%",
    "Well.",
    "and more",
  ]);
});

test("words that are not sent carry none: it waits for the next", () => {
  expect(show(dialog(user("go"), assistant("Done.", full), user(" "), user("more")))).toEqual(["go", "Done.", "more + 82%"]);
});

test("of two that wait, the last one counts", () => {
  const fuller = meta("Context", "used=180000 window=200000");
  expect(show(dialog(assistant("A.", full), assistant("B.", fuller), user("more")))).toEqual(["A.", "B.", "more + 90%"]);
  expect(show(dialog(assistant("A.", full), assistant(ran("a", "one")), user("more")))).toEqual(["A.", "one", "more + 82%"]);
  expect(show(dialog(assistant("A.", full), assistant(ran("a", "one"), fuller), user("more")))).toEqual(["A.", "one + 90%", "more"]);
});

test("the share is rounded down, and a window that is overfull says so", () => {
  const share = (value: string) => show(dialog(assistant("A.", meta("Context", value)), user("m"))).at(-1);
  expect(share("used=999 window=1000")).toBe("m + 99%");
  expect(share("used=3000 window=1000")).toBe("m + 300%");
});

test.each(["", "used=1", "used=1 window=0", "used=-1 window=2", "used=1 window=2 ", "used=99999999999999999 window=2", "Vibey: 82%"])(
  "a line that says %j says nothing",
  (value) => {
    expect(show(dialog(assistant("A.", meta("Context", value)), user("m")))).toEqual(["A.", "m"]);
  },
);

test("a line in a human's section says nothing: no response ended there", () => {
  expect(show(dialog(user("go", full), user("more")))).toEqual(["go", "more"]);
});

const part = fc.oneof(
  fc.constantFrom<string | Part>("", " ", "words", "> Context: used=82 window=100"),
  fc.constantFrom(full, meta("Context", "used=900 window=1000"), meta("Context", "nothing"), meta("Usage", "input=1 output=1 total=2")),
  fc.constantFrom("a", "b").map((id) => ran(id, "result")),
  fc.constantFrom("c", "d").map((id) => call(id)),
);
const sections: fc.Arbitrary<Section[]> = fc.array(
  fc.tuple(fc.boolean(), fc.array(part, { maxLength: 4 })).map(([human, parts]) => (human ? user(...parts) : assistant(...parts))),
  { maxLength: 8 },
);
const without = (section: Section): Section => ({
  ...section,
  parts: section.parts.filter((each) => each.kind !== "meta" || each.lines.every(({ key }) => key !== "Context")),
});

test("notices are all that the lines add, at most one for each section that has one", () => {
  fc.assert(
    fc.property(sections, (all) => {
      const told = turnsOf(dialog(...all), 64).flatMap(texts);
      expect(told.map((text) => text.replace(notice, ""))).toEqual(turnsOf(dialog(...all.map(without)), 64).flatMap(texts));
      const most = all.filter((section) => section.role === "assistant" && without(section).parts.length < section.parts.length);
      expect(told.filter((text) => notice.test(text)).length).toBeLessThanOrEqual(most.length);
    }),
    { numRuns: 500 },
  );
});

test("a dialog that grows leaves its earlier turns as they are", () => {
  fc.assert(
    fc.property(sections, sections, (before, more) => {
      const turns = turnsOf(dialog(...before), 64);
      expect(turnsOf(dialog(...before, ...more), 64).slice(0, turns.length)).toEqual(turns);
    }),
    { numRuns: 500 },
  );
});
