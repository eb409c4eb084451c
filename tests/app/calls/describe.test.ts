import { expect, test } from "vitest";
import {
  change,
  fields,
  headed,
  launched,
  measure,
  mostFields,
  ordered,
  output,
  payload,
  stateWords,
  subject,
} from "../../../src/app/calls/describe.ts";
import { editFile } from "../../../src/engine/turn/tools/edit-file.ts";
import { launchAgent } from "../../../src/engine/turn/tools/launch-agent.ts";
import { runCommandDefinition } from "../../../src/engine/turn/tools/run-command.ts";
import { signalParent } from "../../../src/engine/turn/tools/signal-parent.ts";
import { spawnAgent } from "../../../src/engine/turn/tools/spawn-agent.ts";
import { vfsDelete, vfsList, vfsRead, vfsWrite } from "../../../src/engine/turn/tools/vfs.ts";
import { writeFile } from "../../../src/engine/turn/tools/write-file.ts";

const call = (tool: string, input: Record<string, string | number>, before: string | null = null) => ({
  tool,
  input,
  before,
  result: null,
});

test.each([
  ["run_command", { command: "ls\ncat x" }, "ls …"],
  ["write_file", { path: "a.txt", content: "x" }, "a.txt"],
  ["launch_agent", { prompt: "Style the page", slug: "style" }, "style"],
  ["launch_agent", { prompt: "Style the page" }, "Style the page"],
  ["strange", { path: "x" }, ""],
])("what a call works on: %s %j", (tool, input, expected) => {
  expect(subject(call(tool, input))).toBe(expected);
});

test.each([
  ["", "0 B, 0 lines"],
  ["one", "3 B, 1 line"],
  ["one\n", "4 B, 1 line"],
  ["one\ntwo", "7 B, 2 lines"],
  ["é".repeat(1_550), "3.1 KB, 1 line"],
])("a payload is measured in bytes and lines", (content, expected) => {
  expect(measure(content)).toBe(expected);
});

test("a change has both texts, or it is none; and the line of the file, where that is known", () => {
  const edit = call("edit_file", { path: "a", old_string: "x", new_string: "y" });
  expect(change(edit)).toEqual({ before: "x", after: "y", line: null });
  expect(change({ ...edit, line: 18 })).toEqual({ before: "x", after: "y", line: 18 });
  expect(change({ ...edit, result: { success: true, line: 20 } })).toEqual({ before: "x", after: "y", line: 20 });
  expect(change(call("edit_file", { path: "a", old_string: "x", new_string: 3 }))).toBeNull();
  expect(change(call("write_file", { path: "a", content: "y" }, "x"))).toEqual({ before: "x", after: "y", line: 1 });
  expect(change(call("write_file", { path: "a", content: "y" }))).toBeNull();
});

test.each([
  ["edit_file", { path: "a_b.js" }, { name: "path", value: "a_b.js" }],
  ["launch_agent", { slug: "style", prompt: "x" }, { name: "slug", value: "style" }],
  ["launch_agent", { prompt: "x" }, null],
  ["run_command", { command: "ls" }, null],
  ["write_file", { path: " " }, null],
  ["write_file", { path: 3 }, null],
])("the heading of %s %j", (tool, input, expected) => {
  expect(headed(call(tool, input))).toEqual(expected);
});

test("every field of the input is shown somewhere", () => {
  const odd = call("edit_file", { path: "a", old_string: "x", new_string: "y", replace_all: 1 });
  expect(fields(odd)).toEqual([
    { name: "path", value: "a" },
    { name: "replace_all", value: "1" },
  ]);
  const broken = call("edit_file", { path: "a", old_string: "x" });
  expect(fields(broken)).toEqual([
    { name: "path", value: "a" },
    { name: "old_string", value: "x" },
  ]);
  expect(payload(call("write_file", { path: "a", content: 3 }))).toBeNull();
  expect(fields(call("write_file", { path: "a", content: 3 }))).toContainEqual({ name: "content", value: "3" });
});

const stopped = { success: false, error: "stopped by the user before it ran" };

test.each([
  [{ state: "pending", allowedBy: null, result: null }, "waiting for you"],
  [{ state: "denied", allowedBy: "human", result: null }, "denied by you"],
  [{ state: "running", allowedBy: "authorization", result: null }, "always allowed · running"],
  [
    {
      state: "finished",
      allowedBy: "authorization",
      allowedByLines: [{ value: "command npm test *", place: "main" }],
      result: { success: true, ms: 14 },
    },
    "allowed by `npm test *` in main · 14 ms",
  ],
  [
    {
      state: "finished",
      allowedBy: "authorization",
      allowedByLines: [
        { value: "command npm test *", place: "main" },
        { value: "writes under src/", place: "this dialog" },
      ],
      result: null,
    },
    "allowed by `npm test *` in main and by `src/` in this dialog",
  ],
  [{ state: "finished", allowedBy: "human", result: { success: true, ms: 14 } }, "approved by you · 14 ms"],
  [
    { state: "finished", allowedBy: "human", result: { success: true, background: "bg-1", message: "It goes on." } },
    "approved by you · in the background as bg-1",
  ],
  [{ state: "finished", allowedBy: "human", result: { success: false, error: "no" } }, "approved by you · failed"],
  [{ state: "finished", allowedBy: "human", result: stopped }, "approved by you · not run: you stopped the agent"],
  [{ state: "finished", allowedBy: null, result: stopped }, "not run: you stopped the agent"],
  [{ state: "finished", allowedBy: "human", started: "2026-01-01T00:00:00.000Z", result: stopped }, "approved by you · failed"],
  [{ state: "finished", allowedBy: "human", result: { success: true, ms: "14" } }, "approved by you"],
  [{ state: "finished", allowedBy: null, result: { success: false, error: "unknown tool" } }, "rejected automatically · failed"],
] as const)("the state in words: %j", (state, expected) => {
  expect(stateWords(state)).toBe(expected);
});

test("a call that a done dialog left open waits for nobody", () => {
  expect(stateWords({ state: "pending", allowedBy: null, result: null }, "never")).toBe("undecided");
  expect(stateWords({ state: "pending", allowedBy: null, result: null }, "later")).toBe("when the answer is complete");
  expect(stateWords({ state: "denied", allowedBy: "human", result: null }, "never")).toBe("denied by you");
});

test("output shows what the line above does not say", () => {
  expect(output({ success: true, stdout: "hi\n", stderr: "", ms: 3, line: 4 })).toEqual([{ name: "stdout", value: "hi\n" }]);
  expect(output({ success: false, error: "no" })).toEqual([
    { name: "success", value: "false" },
    { name: "error", value: "no" },
  ]);
  expect(output(null)).toEqual([]);
});

test.each([
  ["launch_agent", { success: true, launched: { dialogId: "20261121-201100-style" } }, "20261121-201100-style"],
  ["launch_agent", { success: false, error: "no" }, null],
  ["launch_agent", { launched: { dialogId: 3 } }, null],
  ["run_command", { launched: { dialogId: "20261121-201100-style" } }, null],
])("the dialog that a call launched: %s %j", (tool, result, expected) => {
  expect(launched({ tool, result })).toBe(expected);
});

test("of tens of thousands of fields most are one text, and nothing of them is lost; what the call is about stands by itself", () => {
  const input = { ...Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`${at}`, at])), command: "ls" };
  const shown = fields(call("run_command", input));
  expect(shown).toHaveLength(50);
  expect(shown[0]).toEqual({ name: "command", value: "ls" });
  const rest = shown.at(-1);
  expect(rest?.name).toBe("49,952 more");
  const told = { ...Object.fromEntries(shown.slice(0, -1).map(({ name, value }) => [name, value])), ...JSON.parse(rest?.value ?? "") };
  expect(Object.keys(told).toSorted()).toEqual(Object.keys(input).toSorted());
  const { length } = output(input);
  expect(length).toBe(50);
  const few = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, "x"]));
  expect(fields(call("strange", few))).toEqual(Object.entries(few).map(([name, value]) => ({ name, value })));
  // A key with a special meaning for objects is shown, too.
  const odd = JSON.parse(`{${Array.from({ length: 60 }, (_, at) => `"k${at}": 1`).join(",")}, "__proto__": {"x": 1}}`);
  expect(fields(call("strange", odd)).at(-1)?.value).toContain('"__proto__": {');
});

test("what a call is about has a place of its own, to be read and to be edited, whatever stands beside it", () => {
  const tools = [
    runCommandDefinition,
    launchAgent,
    spawnAgent,
    signalParent,
    ...[writeFile, editFile, vfsRead, vfsList, vfsWrite, vfsDelete].map(({ definition }) => definition),
  ];
  const names = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema["properties"] ?? {}));
  expect(names).toContain("background");
  const others = Array.from({ length: 200 }, (_, at) =>
    `COMMAND`.replaceAll(/./g, (each, bit: number) => ((at >> bit) & 1 ? each : each.toLowerCase()) + (at > 127 ? "x" : "")),
  );
  for (const name of [...new Set(names), "file_path", "filePath", "notebook_path"]) {
    const input = { ...Object.fromEntries(others.filter((other) => other !== name).map((other) => [other, "x"])), [name]: "y" };
    expect(fields(call("strange", input)).slice(0, -1)).toContainEqual({ name, value: "y" });
    expect(ordered(input).slice(0, mostFields)).toContainEqual([name, "y"]);
    expect(Object.fromEntries(ordered(input))).toEqual(input);
  }
});
