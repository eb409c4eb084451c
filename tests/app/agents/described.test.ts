import { expect, test } from "vitest";
import { described } from "../../../src/app/agents/described.ts";

test.each([
  ["coder", "Coder", "Reviews code", "Reviews code"],
  ["code-reviewer", "Code Reviewer", "Reviews code", "Reviews code"],
  ["coder", "The Coder", "Reviews code", "The Coder · Reviews code"],
  ["coder", "Owner", "", "Owner"],
  ["coder", "Coder", "", ""],
])("%s, named %j: %j", (slug, displayName, description, words) => {
  expect(described({ slug, displayName, description })).toBe(words);
});
