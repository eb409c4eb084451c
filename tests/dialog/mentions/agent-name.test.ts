import { expect, test } from "vitest";
import { agentName, initialsOf } from "../../../src/dialog/mentions/agent-name.ts";

test.each([
  ["code-reviewer", "Code reviewer"],
  ["a_b", "A b"],
  ["_", "_"],
  ["agent", "Agent"],
  ["you", "@you"],
  ["owner", "@owner"],
  ["summary-by_vibey", "@summary-by_vibey"],
  ["yours", "Yours"],
])("%s is shown as %s, and never as you or as Vibey", (slug, name) => {
  expect(agentName(slug)).toBe(name);
});

test.each([
  ["coder", "C"],
  ["code-reviewer", "CR"],
  ["team-of-three", "TO"],
  ["you", "@"],
  ["4-eyes", "4E"],
  ["_", "_"],
])("%s is marked %s", (slug, initials) => expect(initialsOf(agentName(slug))).toBe(initials));
