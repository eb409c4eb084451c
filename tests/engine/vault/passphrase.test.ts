import { expect, test } from "vitest";
import { passphraseHint } from "../../../src/app/settings/passphrase.ts";
import { passphraseProblem } from "../../../src/engine/vault/passphrase.ts";

test.each([
  ["", "use at least 12 characters", /^At least 12 characters/],
  ["short", "use at least 12 characters", /^7 more characters/],
  ["eleven char", "use at least 12 characters", /^1 more character/],
  ["aaaaaaaaaaaaaaaaaaaa", "expected at least 6 different characters", /^Too repetitive/],
  ["twelve chars", null, /^Good enough if no one can guess it/],
  ["river lamp copper eleven", null, /^Long enough/],
  ["👍👎👌✊✋👋", "use at least 12 characters", /^6 more characters/],
])("the page says of %j what the engine holds", (typed, problem, words) => {
  const found = passphraseProblem(typed);
  if (problem === null) expect(found).toBe(null);
  else expect(found).toContain(problem);
  expect(passphraseHint(typed)).toEqual({ ok: problem === null, words: expect.stringMatching(words) });
});

test("a passphrase has an end", () => {
  expect(passphraseProblem("abcdef".repeat(200))).toBe("expected at most 1000 characters");
});
