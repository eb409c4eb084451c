import { expect, test } from "vitest";
import { nextStep } from "../../../../src/engine/providers/demo/demo.ts";
import { parseDialog } from "../../../../src/dialog/parse.ts";

const head = `# Dialog\n> Format: 2\n> Agent: coder ${"0".repeat(64)}\n> Tools: none\n`;
const reply = (context: string, said: string) =>
  nextStep(
    parseDialog(
      `${head}> Replies to: 20261126-090000-game | Message: 1\n\nYou are Coder.\n\n## User\n> From: context 20261126-090000-game\n\n${context}\n\n## User\n> From: human 20261126-090000-game\n\n${said}\n`,
    ),
    "",
  );

test("an agent of a file says that it is scripted, repeats the question and asks for nothing", () => {
  const { text, calls } = reply("The person asking is Owner (role: owner).", "what is wrong here?\n\nThanks.");
  expect(text).toMatch(/^I'm Coder, the agent that your file describes, and this is the scripted demo/);
  expect(text).toContain("You asked: “what is wrong here?”");
  expect(text).not.toMatch(/DONE/);
  expect(calls).toEqual([]);
});

test("in a dialog of its own it answers what was said last", () => {
  const { text } = nextStep(parseDialog(`${head}\nYou are Coder.\n\n## User\n\nOne.\n\n## Assistant\n\nOk.\n\n## User\n\nTwo.\n`), "");
  expect(text).toContain("“Two.”");
});

test("in turns it is done at once, and a fork gets a summary", () => {
  expect(reply("You answer in turns with Critic (AI). Reply.", "which?").text).toMatch(/\n\nDONE$/);
  expect(reply("x", "Resolve this fork.").text).toMatch(/^CONCLUSION: /);
});
