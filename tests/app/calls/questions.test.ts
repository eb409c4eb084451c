import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answersIn, chosenIn, questionsIn, withAnswer, withChoice } from "../../../src/app/calls/questions.ts";

const questions = [
  { question: "Which color?", options: [{ label: "Blue", description: "b" }, { label: 1 }, null], multiSelect: false },
  { question: "Which pages?", multiSelect: true },
  { header: "no question" },
  "none",
];

test("the questions of a call that has room for answers, whatever else it holds", () => {
  expect(questionsIn({ tool: "AskUserQuestion", input: { questions, answers: {} } })).toEqual([
    { text: "Which color?", options: [{ label: "Blue", description: "b" }], several: false },
    { text: "Which pages?", options: [], several: true },
  ]);
  expect(questionsIn({ tool: "AskUserQuestion", input: { questions } })).toEqual([]);
  expect(questionsIn({ tool: "Bash", input: { questions, answers: {} } })).toEqual([]);
});

test("an answer changes no other one", () => {
  const one = withAnswer('{"a":"","b":"kept"}', "a", 'Say "no"');
  expect(answersIn(one)).toEqual({ a: 'Say "no"', b: "kept" });
  expect(answersIn(withAnswer(one, "a", ""))).toEqual({ a: "", b: "kept" });
});

const colors = ["Red", "Red, green", "Blue"];
test.each<[string, string[], string]>([
  ["", [], ""],
  ["Red", ["Red"], ""],
  ["Red, green", ["Red, green"], ""],
  ["Red, green, Blue", ["Red, green", "Blue"], ""],
  ["Red, Blue", ["Red", "Blue"], ""],
  ["Red, greenish", ["Red"], "greenish"],
  ["Blue, and more, of it", ["Blue"], "and more, of it"],
  ["Bluer", [], "Bluer"],
])("the choices in the answer %j", (answer, chosen, own) => {
  const read = chosenIn(answer, colors);
  expect([[...read.chosen], read.own]).toEqual([chosen, own]);
});

test("a tick sets or takes back one choice, whatever its words hold, and the person's own words stay", () => {
  const part = fc.stringMatching(/^[a-c](, [a-c])?$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(part, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", "my own, words"),
      fc.nat(),
      (labels, own, nth) => {
        const label = labels[nth % labels.length] ?? "";
        const ticked = withChoice(own, labels, label, true);
        expect([[...chosenIn(ticked, labels).chosen], chosenIn(ticked, labels).own]).toEqual([[label], own]);
        expect(withChoice(ticked, labels, label, false)).toBe(own);
      },
    ),
  );
});
