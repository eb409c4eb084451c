import { expect, test } from "vitest";
import { answersIn, questionsIn, withAnswer } from "../../../src/app/calls/questions.ts";

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
