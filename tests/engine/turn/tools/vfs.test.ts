import { expect, test } from "vitest";
import type { DialogAnswer } from "../../../../src/protocol/index.ts";
import { human } from "../../../../src/fs/actor.ts";
import { memoryFiles, memoryStore } from "../../../../src/fs/memory.ts";
import { parsePath, type Path } from "../../../../src/fs/path.ts";
import { asksAlways } from "../../../../src/engine/turn/tools/vfs.ts";
import type { JsonObject } from "../../../../src/dialog/model.ts";
import { bench, call, ended, say } from "../../harness.ts";

const main = { name: "doc-main.md", content: "# A game\n" };
const reader = { name: "agent-reader.md", content: "---\ntools: [vfs_read, vfs_list]\n---\nYou read.\n" };

function pathOf(text: string): Path {
  const parsed = parsePath(text);
  if (!parsed.ok) throw new RangeError(text);
  return parsed.path;
}

async function asks(
  calls: readonly (readonly [name: string, input: JsonObject])[],
  deed: Readonly<Record<string, string | Uint8Array>> = {},
) {
  const store = memoryStore();
  const changes = Object.entries({ "vibey/doc-main.md": main.content, "vibey/agent-reader.md": reader.content, ...deed }).map(
    ([path, data]) => ({ op: "write" as const, path: pathOf(path), data }),
  );
  await memoryFiles({ store, now: () => 1_760_000_000_000 }).commit(changes, { durability: "strict", by: human });
  const replies = [[...calls.map(([name, input], at) => call(`c${at}`, name, input)), ended] as const, say("Read.")];
  const b = await bench(replies, { store });
  await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Read.", agent: "reader" })).text();
  const { id } = await b.dialog();
  const view = (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
  const told = view.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  return { b, view, told };
}
const files = { "src/a.js": "one\ntwo\n", "src/b.js": "b", "notes.md": "n", "image.png": Uint8Array.of(0xff, 0) };

test("an agent that has them reads and lists files without asking, as lines of its dialog say; the user can take those back", async () => {
  const { b, view, told } = await asks(
    [
      ["vfs_read", { path: "src/a.js" }],
      ["vfs_list", { prefix: "src/" }],
    ],
    files,
  );
  expect(told.map(({ state, allowedBy, result }) => [state, allowedBy, result])).toEqual([
    ["finished", "authorization", { success: true, text: "one\ntwo\n" }],
    ["finished", "authorization", { success: true, text: "['src/a.js', 'src/b.js']" }],
  ]);
  expect(view.markdown).toContain("> Authorized: vfs_read\n> Authorized: vfs_list\n");
  expect(b.requests[0]?.tools.map(({ name }) => name)).toEqual(["vfs_read", "vfs_list"]);
  expect(b.reported).toEqual([]);
  await b.ask("PUT", "/dialog", { dialogId: view.dialogId, authorizations: "deny vfs_read" });
  b.replies.push([call("d", "vfs_read", { path: "notes.md" }), ended]);
  await (await b.ask("PUT", "/dialog", { dialogId: view.dialogId, prompt: "Again." })).text();
  const after = (await (await b.ask("GET", `/dialog/${view.dialogId}`)).json()) as DialogAnswer;
  expect(JSON.stringify(after.messages.at(-1)?.parts)).toContain('"state":"pending"');
});

test("an agent that no file defines doesn't have them", async () => {
  const b = await bench([[call("a", "vfs_read", { path: "x" }), ended], say("No.")], { welcome: [main] });
  await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Read." })).text();
  expect(b.requests[0]?.tools.map(({ name }) => name)).toEqual(["run_command", "write_file", "edit_file", "launch_agent"]);
  expect((await b.dialog()).markdown).toContain("Unknown tool: vfs_read");
});

test.each<[path: string, asks: boolean]>([
  ["src/a.js", false],
  ["vibey/doc-main.md", false],
  ["vibey/dialog-20260101-000000-x-done.md", true],
  ["./vibey//dialog-20260101-000000-x-done.md", true],
  ["src/../vibey/dialog-20260101-000000-x-done.md", true],
  ["/project/vibey/Dialog-20260101-000000-x-done.md", true],
  [".env", true],
  ["src/.env.local", true],
  [".git/config", true],
  ["a.b/c.d", false],
])("reading %s asks: %s", (path, expected) => {
  expect(asksAlways({ name: "vfs_read", input: { path } })).toBe(expected);
});

test("a dialog and a hidden file are read with approval alone", async () => {
  const { told } = await asks([["vfs_read", { path: ".env" }]], { ".env": "KEY=1" });
  expect(told.map(({ state }) => state)).toEqual(["pending"]);
});

test.each<[name: string, input: JsonObject, result: JsonObject]>([
  [
    "vfs_read",
    { path: "src/c/a.js" },
    { success: false, error: expect.stringMatching(/^Error: 'src\/c\/a\.js' not found\. Similar: 'src\/a\.js'\. Available: \[/) as never },
  ],
  ["vfs_read", { path: "image.png" }, { success: false, error: "path: image.png is a binary file (not UTF-8 text)" }],
  ["vfs_read", { path: "src/a.js", from_line: 2 }, { success: true, text: "two\n" }],
  ["vfs_read", { path: "src/a.js", from_line: 9 }, { success: true, text: "" }],
  ["vfs_read", { path: "src/a.js", from_line: 0 }, { success: false, error: "from_line: expected a whole number, 1 or more" }],
  ["vfs_read", {}, { success: false, error: "path is missing: expected a string" }],
  ["vfs_read", { path: "../x" }, { success: false, error: 'path: "../x" is outside the project' }],
  ["vfs_list", { prefix: "nothing/" }, { success: true, text: "No files match prefix 'nothing/'. Existing prefixes: ['src/', 'vibey/']" }],
  [
    "vfs_read",
    { path: "notse.md" },
    {
      success: false,
      error: expect.stringContaining("Error: 'notse.md' not found. Similar: 'notes.md'. Available: ['image.png', ") as never,
    },
  ],
])("%s %j", async (name, input, result) => {
  expect((await asks([[name, input]], files)).told[0]?.result).toEqual(result);
});

test("a long file is read in parts", async () => {
  const long = Array.from({ length: 9_000 }, (_, n) => `line ${n + 1}`).join("\n");
  const read = async (more: JsonObject) => {
    const { told } = await asks([["vfs_read", { path: "long.txt", ...more }]], { "long.txt": long });
    const result = told[0]?.result;
    const { text = "", more: left = "" } = (result ?? {}) as { text?: string; more?: string };
    return { text, left };
  };
  const first = await read({});
  const next = Number(/from_line (\d+)/.exec(first.left)?.[1]);
  expect(first.text.split("\n").length).toBe(next - 1);
  const rest = await read({ from_line: next });
  expect(`${first.text}\n${rest.text}`).toBe(long);
});

test.each<[what: string, text: string, from: number, shown: string, more: string | undefined]>([
  ["one line", "x".repeat(70_000), 1, "x".repeat(60_000), "line 1 was cut after 60000 of 70000 characters"],
  ["a line with others", `head\n${"x".repeat(70_000)}\ntail`, 2, "x".repeat(60_000), "line 2 was cut after 60000 of 70000 characters"],
  [
    "a cut in a letter of two units",
    `x${"😀".repeat(30_000)}`,
    1,
    `x${"😀".repeat(29_999)}`,
    "line 1 was cut after 59999 of 60001 characters",
  ],
  ["a line that just fits", "x".repeat(60_000), 1, "x".repeat(60_000), undefined],
])("a line that is too long is cut, and the result says so: %s", async (_, text, from, shown, more) => {
  const { told } = await asks([["vfs_read", { path: "a.txt", from_line: from }]], { "a.txt": text });
  const advice = "; vfs_read can't read its rest, but run_command can, if you have it";
  const after = text.endsWith("tail") ? ". 1 more lines; read on with from_line 3" : "";
  expect(told[0]?.result).toEqual({ success: true, text: shown, ...(more === undefined ? {} : { more: `${more}${advice}${after}` }) });
});
