import { expect, test } from "vitest";
import { ranWith } from "../../src/dialog/call-json.ts";
import { dialogCalls } from "../../src/dialog/edit.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { recover } from "../../src/dialog/recover.ts";
import { serialiseDialog } from "../../src/dialog/serialise.ts";
import { imported, upgrade } from "../../src/dialog/upgrade.ts";

const head = "# Dialog\n> Format: 1\n\n## Assistant\n\n---\nTool request: run_command [a]\n\n";
const file = `${head}    {"command": "rm -rf ."}\n\nDecision: approved with changes\n\n    {"command": "ls"}\n\nStarted: now\n\n---\n`;
const callIn = (text: string) => dialogCalls(parseDialog(text))[0];

test("a call that was approved with changes keeps its own arguments, runs with the others, and is written as it was read", () => {
  const call = callIn(file);
  expect(call).toMatchObject({ input: { command: "rm -rf ." }, changed: { command: "ls" }, decision: "approved", started: "now" });
  expect(call && ranWith(call)).toEqual({ command: "ls" });
  expect(serialiseDialog(parseDialog(file))).toBe(file);
});

test("cut anywhere, it is undecided until all of the changes are there: it never is an approval of the agent's own arguments", () => {
  for (let cut = head.length; cut <= file.length; cut++) {
    const call = callIn(recover(file.slice(0, cut)));
    if (call?.decision === "approved") expect(call.changed).toEqual({ command: "ls" });
    else expect(call?.decision ?? null).toBeNull();
  }
});

test.each([
  ["no arguments", "\n"],
  ["arguments that are no object", "\n    [1]\n\n"],
  ["two objects", '\n    {"command": "ls"}\n    {"command": "ls"}\n\n'],
  ["a second decision", "Decision: approved\n"],
])("%s after the decision leave the call undecided", (_, text) => {
  const call = callIn(`${head}    {"command": "rm"}\n\nDecision: approved with changes\n${text}---\n`);
  expect([call?.decision, call?.changed, call?.input]).toEqual([null, undefined, { command: "rm" }]);
});

test("an import and an earlier Vibey's file make it undecided again, without the changes, unless it was started", () => {
  const waiting = parseDialog(file.replace("Started: now\n\n", ""));
  for (const dialog of [imported(waiting), imported(waiting, "as they are"), upgrade({ ...waiting, format: null })]) {
    const [call] = dialogCalls(dialog);
    expect([call?.decision, call?.changed]).toEqual([null, undefined]);
  }
  expect(dialogCalls(imported(parseDialog(file)))[0]?.changed).toEqual({ command: "ls" });
});
