import { expect, test } from "vitest";
import { createAnswer } from "../../src/engine/providers/answer.ts";

test.each([[[]], [[""]], [[" "]], [["\n", " \t", "\r\n\n", "\u00a0\u3000"]]])("an answer of %j is empty", (texts) => {
  const answer = createAnswer();
  for (const text of texts) answer.say(text);
  expect(answer.finish({ kind: "end" }).stop).toMatchObject({ kind: "error", reason: "empty" });
});

test.each([[["a"]], [["\n", "a"]], [[" ", "0"]]])("an answer of %j is not", (texts) => {
  const answer = createAnswer();
  for (const text of texts) answer.say(text);
  expect(answer.finish({ kind: "end" }).stop).toEqual({ kind: "end" });
});

test("neither is a call behind white space", () => {
  const answer = createAnswer();
  answer.say("\n");
  answer.begin({ id: "a", name: "x", whole: true, input: () => ({ ok: true, value: {} }) });
  const { events, stop } = answer.finish({ kind: "end" });
  expect([stop.kind, events.map(({ type }) => type)]).toEqual(["end", ["call"]]);
});
