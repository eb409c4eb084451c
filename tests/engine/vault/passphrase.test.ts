import { expect, test } from "vitest";
import { passphraseHint } from "../../../src/app/settings/passphrase.ts";
import { passphraseProblem } from "../../../src/engine/vault/passphrase.ts";

test.each([
  ["", "expected at least 12 characters", /^At least 12 characters/],
  ["short", "expected at least 12 characters", /^Too short: 7 more/],
  ["eleven char", "expected at least 12 characters", /^Too short: 1 more/],
  ["aaaaaaaaaaaaaaaaaaaa", "expected at least 6 different characters", /^Too much of the same/],
  ["twelve chars", null, /^Enough, if nobody can guess it/],
  ["river lamp copper eleven", null, /^Long enough/],
  ["👍👎👌✊✋👋", "expected at least 12 characters", /^Too short: 6 more/],
])("the page says of %j what the engine holds", (typed, problem, words) => {
  const found = passphraseProblem(typed);
  if (problem === null) expect(found).toBe(null);
  else expect(found).toContain(problem);
  expect(passphraseHint(typed)).toEqual({ ok: problem === null, words: expect.stringMatching(words) });
});

test("a passphrase has an end", () => {
  expect(passphraseProblem("abcdef".repeat(200))).toBe("expected at most 1000 characters");
});
