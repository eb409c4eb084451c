import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/dialog/model.ts";
import { limits } from "../../../src/protocol/limits.ts";
import { memoryStore } from "../../../src/fs/memory.ts";
import { path } from "../../fs/notation.ts";
import { type BenchOptions, call, outcome } from "../harness.ts";
import { type Crew, crew } from "./crew.ts";

/**
 * Plays steps in order, separated by `;`. A file's text is a word; `_` in it is a line end.
 *
 *     a asks                  the provider gets a request of agent a
 *     a write x one           its answer: it writes x; then edit x old new, run command …; the result is sent back
 *     human x two             the user writes x; without a text: removes it
 *
 * Returns the last call's result.
 */
async function play(c: Crew, steps: string): Promise<JsonObject> {
  let result: JsonObject = {};
  for (const step of steps.split("; ")) {
    const [who = "", what = "", ...words] = step.split(" ");
    const [one = "", two = "", three = ""] = words.map((word) => word.replaceAll("_", "\n"));
    if (who === "human") await human(c, what, one);
    else if (what === "asks") await asks(c, who);
    else if (what === "run") result = await acts(c, who, "run_command", { command: words.join(" ") });
    else if (what === "write") result = await acts(c, who, "write_file", { path: one, content: two });
    else if (what === "edit") result = await acts(c, who, "edit_file", { path: one, old_string: two, new_string: three });
    else throw new Error(`no such step: ${step}`);
  }
  return result;
}

async function human(c: Crew, name: string, text: string): Promise<void> {
  const doc = /^vibey\/(.*)$/.exec(name)?.[1];
  const answer =
    doc === undefined
      ? await c.b.ask(text === "" ? "DELETE" : "PUT", `/deed/${name}`, text === "" ? undefined : text)
      : await c.b.ask("POST", `/file/${doc}`, { content: text });
  expect(answer.status).toBe(200);
}

async function asks(c: Crew, who: string): Promise<void> {
  await c.begin(who);
  await expect.poll(() => c.asked).toContain(who);
}

let calls = 0;

async function acts(c: Crew, who: string, name: string, input: JsonObject): Promise<JsonObject> {
  calls += 1;
  const id = `call-${calls}`;
  const requests = () => c.asked.filter((one) => one === who).length;
  const before = requests();
  c.reply(who, call(id, name, input));
  await expect.poll(requests, { interval: 1 }).toBe(before + 1);
  const parts = (await c.dialog(who)).messages.flatMap((message) => message.parts);
  const done = parts.find((part) => part.kind === "call" && part.call.id === id);
  if (done?.kind !== "call") throw new Error(`no call ${id}`);
  return done.call.result as JsonObject;
}

/** `build` creates x; any other command only reads. */
async function run(command: string) {
  return outcome("", command === "build" ? [{ path: path("x"), bytes: new TextEncoder().encode("built"), base: null }] : []);
}

const allowed = ["write_file", "edit_file", "run_command"].map((tool) => `> Authorized: ${tool}`);
const start = (options: BenchOptions = {}) => crew(allowed, { run, ...options });

test.each([
  ["made by the human after the request", "a asks; human x two"],
  ["changed by the human after the request", "human x zero; a asks; human x two"],
  ["written by the agent, then changed", "a asks; a write x one; human x two"],
  ["written, then changed before the last request", "a asks; a write x one; human x two; a run ls"],
  ["read by the agent, then changed before the last request", "human x one; a asks; a run cat x; human x two; a run ls"],
  ["edited by the agent, then changed", "human x one; a asks; a edit x one 1; human x two"],
  ["made by a command that does not name it, then changed", "a asks; a run build; human x two; a run ls"],
  ["in a folder, read by its last name, then changed", "human d/x one; a asks; a run cd d && cat x; human d/x two; a run ls"],
])("a file %s: not overwritten at first, and the agent is told; its second try passes", async (_title, steps) => {
  const c = await start();
  await play(c, steps);
  const name = steps.includes("d/x two") ? "d/x" : "x";
  const refused = await play(c, `a write ${name} three`);
  expect(refused).toMatchObject({
    success: false,
    error: `${name} was changed by the user since you last saw it; nothing was written. Take over what is to stay, then write it again, or use edit_file.`,
  });
  expect(refused["changes"]).toMatch(
    /^--- \S+\n\+\+\+ d?\/?x\n@@ .*\n(-\w+\n\\ No newline at end of file\n)?\+two\n\\ No newline at end of file$/,
  );
  expect(await c.b.text(name)).toBe("two");
  expect(await play(c, `a write ${name} three`)).toEqual({ success: true, message: `File written: ${name} (replaced 3 bytes)` });
  expect([await c.b.text(name), c.b.reported]).toEqual(["three", []]);
});

test.each([
  ["that nobody touched since", "a asks; a write x one", "(replaced 3 bytes)"],
  ["that is old and that it never saw", "human x one; a asks", "(replaced 3 bytes)"],
  ["that it read after the change", "a asks; a write x one; human x two; a run cat x", "(replaced 3 bytes)"],
  ["that another agent changed before it read it", "a asks; b asks; b write x one; a run cat ./x", "(replaced 3 bytes)"],
  ["that reads already as it is to read", "a asks; human x new", "(replaced 3 bytes)"],
  ["that another file's name only ends like", "a asks; a write ax one; human ax two", null],
])("a file %s is written at once", async (_title, steps, note) => {
  const c = await start();
  await play(c, steps);
  expect(await play(c, "a write x new")).toEqual({ success: true, message: `File written: x${note === null ? "" : ` ${note}`}` });
  expect(await c.b.text("x")).toBe("new");
});

test("an accent of its own, a folder before it: whatever way an agent spells a path, its second try passes", async () => {
  const c = await start();
  const [typed, stored] = ["cafe\u0301.txt", "caf\u00e9.txt"];
  await play(c, `a asks; a run cat ${stored}; human ${stored} two`);
  expect(await play(c, `a write ${typed} three`)).toMatchObject({ success: false });
  expect(await play(c, `a write ./x/../${typed} three`)).toMatchObject({ success: true });
  await play(c, `human ${stored} four; a run cat ${typed}`);
  expect(await play(c, `a write ${typed} five`)).toMatchObject({ success: true });
});

test("a second change between the refusal and the next try is told too", async () => {
  const c = await start();
  expect(await play(c, "a asks; a write x one; human x two; a write x new; human x three; a write x new")).toMatchObject({
    success: false,
    changes: expect.stringContaining("-two\n\\ No newline at end of file\n+three"),
  });
});

test("each of two agents is told of the other, by name", async () => {
  const c = await start();
  await play(c, "a asks; b asks; a write x a_b_c_");
  expect(await play(c, "b write x z_")).toMatchObject({
    error: expect.stringContaining(`x was changed by another agent (dialog ${await c.id("a")}) since you last saw it`),
    changes: "--- /dev/null\n+++ x\n@@ -0,0 +1,3 @@\n+a\n+b\n+c",
  });
  await play(c, "b edit x b B");
  expect(await play(c, "a edit x c C")).toEqual({
    success: true,
    message: "Edit applied to x",
    line: 3,
    changedMeanwhile: {
      by: `another agent (dialog ${await c.id("b")})`,
      diff: "--- x\n+++ x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c",
    },
  });
  expect(await c.b.text("x")).toBe("a\nB\nC\n");
  expect(await play(c, "human x q_; b write x z_")).toMatchObject({
    error: expect.stringContaining(`by another agent (dialog ${await c.id("a")}) and the user since`),
  });
});

test("an edit whose passage is gone says who changed the file, and how; the agent has seen it then", async () => {
  const c = await start();
  expect(await play(c, "a asks; a write x one_; human x two_; a edit x one 1")).toMatchObject({
    success: false,
    error: "old_string not found in file: the user changed x since you last saw it",
    changes: "--- x\n+++ x\n@@ -1,1 +1,1 @@\n-one\n+two",
  });
  expect(await play(c, "a edit x two 2")).toEqual({ success: true, message: "Edit applied to x", line: 1 });
});

test("what was removed meanwhile is said", async () => {
  const c = await start();
  expect(await play(c, "a asks; a write x one; human x; a edit x one 1")).toEqual({
    success: false,
    error: "path: there is no file x: the user removed it since you last saw it",
  });
  expect(await play(c, "a write x two")).toEqual({
    success: true,
    message: "File written: x; it had been removed by the user since you last saw it",
  });
});

test("doc-main.md stands in every request, so it was seen when that was sent", async () => {
  const c = await start();
  await play(c, "a asks");
  const content = `${allowed.join("\n")}\n`;
  await human(c, "vibey/doc-main.md", `${content}New.\n`);
  const write = { path: "vibey/doc-main.md", content: `${content}Mine.\n` };
  expect(await acts(c, "a", "write_file", write)).toMatchObject({ success: false, changes: expect.stringContaining("+New.") });
  await human(c, "vibey/doc-main.md", `${content}Newer.\n`);
  await play(c, "a run ls");
  expect(await acts(c, "a", "write_file", write)).toMatchObject({ success: true });
});

test("a change while a call waits for the human's yes counts, also over a reload", async () => {
  const store = memoryStore();
  const c = await crew([], { store, run });
  c.reply("a", call("w", "write_file", { path: "x", content: "one" }));
  await c.begin("a");
  await c.is("|");
  const after = await crew([], { store, run });
  await human(after, "x", "two");
  after.reply("a", { type: "text", text: "I see." });
  await (await after.put("a", { decisions: "w: approve" })).text();
  expect((await after.dialog("a")).markdown).toContain("x was changed by the user since you last saw it");
  expect(await after.b.text("x")).toBe("two");
});

test("changes that are long are cut, those of a large or binary file are not shown", async () => {
  const c = await start();
  const long = await play(c, `a asks; a write x one; human x ${"line_".repeat(1000)}; a write x new`);
  expect(long["changes"]).toMatch(/\n… cut here: read the file for the rest$/);
  expect(long["changes"]).toHaveProperty("length", expect.closeTo(limits.diffShown, -3));
  const large = await play(c, `human y ${"z".repeat(limits.pastTextBytes + 1)}; a run cat y; human y two; a write y new`);
  expect(large).toEqual({
    success: false,
    error: "y was changed by the user since you last saw it; nothing was written. Read the file, then write it again, or use edit_file.",
  });
});
