import { describe, expect, test } from "vitest";
import type { RunOutcome } from "../../../../src/shell/sandbox.ts";
import { checkRunCommand, commandResult, runCommandDefinition } from "../../../../src/engine/turn/tools/run-command.ts";

const done: RunOutcome = { stdout: "out\n", stderr: "", exitCode: 0, limit: null, aborted: false, ms: 12, changes: [] };

test("the definition says the limits", () => {
  expect(runCommandDefinition).toMatchObject({ name: "run_command", inputSchema: { type: "object", required: ["command"] } });
  expect(runCommandDefinition.description).toContain("30 s, 1 MB of output");
});

describe("check", () => {
  test.each([
    [{ command: "ls" }, null],
    [{ command: "ls", description: "look around" }, null],
    [{}, "command is missing: expected a string"],
    [{ command: ["ls"] }, "command: expected a string, found an array"],
    [{ command: " \n" }, "command is empty"],
  ])("%j: %j", (input, fault) => {
    expect(checkRunCommand(input)).toBe(fault);
  });
});

describe("the result", () => {
  test.each<readonly [string, Partial<RunOutcome>, readonly string[], unknown]>([
    ["of success", {}, [], { success: true, stdout: "out\n", stderr: "", ms: 12 }],
    [
      "of failure",
      { exitCode: 2, stderr: "no\n" },
      [],
      { success: false, error: "exit code 2", stdout: "out\n", stderr: "no\n", exitCode: 2, ms: 12 },
    ],
    [
      "at the time limit",
      { exitCode: 124, limit: "time" },
      [],
      {
        success: false,
        error: "stopped after 30 s, the time limit of a command; the user can raise it",
        stdout: "out\n",
        stderr: "",
        exitCode: 124,
        limit: "time: 30 s",
        ms: 12,
      },
    ],
    [
      "at the output limit",
      { limit: "output" },
      [],
      { success: true, stdout: "out\n", stderr: "", limit: "output: 1 MB each of stdout and stderr; the middle was cut", ms: 12 },
    ],
    [
      "of an abort",
      { exitCode: 130, aborted: true },
      [],
      { success: false, error: "stopped before it ended", stdout: "out\n", stderr: "", exitCode: 130, ms: 12 },
    ],
    ["with notes", {}, ["not kept: x"], { success: true, stdout: "out\n", stderr: "", ms: 12, notes: ["not kept: x"] }],
  ])("%s", (_, outcome, notes, result) => {
    const time = { seconds: 30, from: "project" } as const;
    expect(JSON.stringify(commandResult({ ...done, ...outcome }, notes, time))).toBe(JSON.stringify(result));
  });

  test("names the time limit of the dialog", () => {
    const late = { ...done, exitCode: 124, limit: "time" } as const;
    expect(commandResult(late, [], { seconds: 90, from: "dialog" })).toMatchObject({
      error: "stopped after 90 s, the time limit of a command in this dialog; the user can raise it",
      limit: "time: 90 s",
    });
  });
});
