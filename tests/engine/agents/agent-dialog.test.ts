import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { DialogAnswer } from "../../../src/protocol/index.ts";
import { soon } from "../../soon.ts";
import { type Bench, bench, call, ended, say } from "../harness.ts";

const definition = `---
name: coder
model: model-2
tools: [Edit, Write]
---

You are Coder.
> Authorized: run_command
`;
const main = { name: "doc-main.md", content: "> Authorized: run_command\n> Authorized: write_file\n\n# A game\n" };

async function withAgent(b: Bench, text = definition): Promise<void> {
  expect((await b.ask("POST", "/agents", { slug: "coder", text })).status).toBe(201);
}
const start = async (b: Bench, more: object = {}) =>
  (await b.ask("POST", "/dialog", { provider: "claude", prompt: "What is wrong?", agent: "coder", ...more })).text();
const dialogOf = async (b: Bench, id: string) => (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;

test("a dialog with an agent has its prompt, its model and its tools, and holds the definition", async () => {
  const b = await bench([say("Nothing.")], { welcome: [main] });
  await withAgent(b);
  await start(b);
  const { id, filename, markdown } = await b.dialog();
  expect(filename).toMatch(/-coder-done\.md$/);
  const hash = createHash("sha256").update(definition.trimEnd()).digest("hex");
  expect(markdown).toContain(`# Dialog\n> Format: 2\n> Provider: claude | Model: model-2\n`);
  expect(markdown).toContain(`> Agent: coder ${hash}\n> Tools: write_file, edit_file\n`);
  expect(markdown).toContain("\nYou are Coder.\n\\> Authorized: run_command\n\n## User\n");
  const [request] = b.requests;
  expect(request?.model).toBe("model-2");
  expect(request?.system.startsWith("You are Coder.\n> Authorized: run_command\n\nYou work in Vibey, where")).toBe(true);
  expect(request?.system).toContain("Use `edit_file`");
  expect(request?.system).not.toContain("run_command` to read");
  expect(request?.system).not.toContain("A shell that echoes.");
  expect(request?.system).toContain("# A game");
  expect(request?.tools.map(({ name }) => name)).toEqual(["write_file", "edit_file"]);
  const view = await dialogOf(b, id);
  expect(view).toMatchObject({ agent: { slug: "coder", tools: ["write_file", "edit_file"], text: definition.trimEnd() } });
  const granted = ["run_command", "write_file"].map((value) => ({ key: "Authorized", value }));
  expect(view.notes).toEqual([{ kind: "meta", lines: granted }]);
  expect(view.readOnlyReason).toBeNull();
  expect(b.reported).toEqual([]);
});

test("a tool that it doesn't have never runs, whatever doc-main.md and the user allow", async () => {
  const replies = [
    [call("a", "run_command", { command: "ls" }), call("b", "write_file", { path: "x", content: "x" }), ended] as const,
    say("Done."),
  ];
  const b = await bench(replies, { welcome: [main] });
  await withAgent(b);
  await start(b);
  const { id, markdown } = await b.dialog();
  expect(b.commands).toEqual([]);
  expect(markdown).toContain("This agent doesn't have the tool run_command");
  expect(await b.text("x")).toBe("x");
  const put = await b.ask("PUT", "/dialog", { dialogId: id, authorizations: ["run_command"] });
  expect(put.ok).toBe(true);
  b.replies.push([call("c", "run_command", { command: "ls" }), ended], say("Done."));
  await (await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Again." })).text();
  expect(b.commands).toEqual([]);
});

test("tools: [] means none; no tools: means all", async () => {
  const b = await bench([say("Yes."), say("Yes.")], { welcome: [main] });
  await withAgent(b, "---\ntools: []\n---\nYou talk.");
  await start(b);
  expect(b.requests[0]?.tools).toEqual([]);
  expect(b.requests[0]?.system).toContain("You have no tools");
  await b.ask("PUT", "/agents/profile/coder", { text: "You do." });
  await start(b);
  expect(b.requests[1]?.tools.map(({ name }) => name)).toEqual([
    "run_command",
    "write_file",
    "edit_file",
    "vfs_read",
    "vfs_list",
    "launch_agent",
  ]);
});

const launch = (id: string, more: object) => call(id, "launch_agent", { provider: "claude", model: "model-1", prompt: "Go.", ...more });

test("an agent starts agents by name, and they have no tool that it lacks unless its file names them", async () => {
  const b = await bench([], { welcome: [main], answer: say("Done.") });
  await withAgent(b, "---\ntools: [Edit, Task, Read]\nagents: [writer]\n---\nYou are Coder.");
  for (const [slug, text] of [
    ["writer", "---\ntools: [Edit, Write, Bash]\nmodel: model-9\n---\nYou are Writer."],
    ["reader", "---\ntools: [Read]\n---\nYou are Reader."],
  ])
    await b.ask("POST", "/agents", { slug, text });
  b.replies.push([
    launch("a", { agent: "writer" }),
    launch("b", { agent: "reader" }),
    launch("c", {}),
    launch("d", { agent: "none" }),
    ended,
  ]);
  await start(b);
  expect(b.requests[0]?.system).toContain("You can start `writer`.");
  const { id } = await b.dialog();
  await (await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve\nb: approve\nc: approve\nd: approve" })).text();
  const { markdown } = await dialogOf(b, id);
  expect(markdown).toContain("agent: you can't start 'reader'. You can start: writer.");
  expect(markdown).toContain("agent: expected the name of an agent. You can start: writer.");
  expect(markdown).toContain("agent: you can't start 'none'");
  await soon(async () => expect(b.requests.some(({ system }) => system.startsWith("You are Writer."))).toBe(true));
  const writer = b.requests.find(({ system }) => system.startsWith("You are Writer."));
  expect([writer?.model, writer?.tools.map(({ name }) => name)]).toEqual(["model-9", ["run_command", "write_file", "edit_file"]]);
});

test("an agent that its starter's file doesn't name has only the starter's tools, and reads unasked only where that one does", async () => {
  const b = await bench([], {
    welcome: [{ ...main, content: "> Authorized: launch_agent\n> Authorized: edit_file\n> Authorized: run_command\n" }],
    answer: say("Done."),
  });
  await withAgent(b, "---\ntools: [Edit, Task]\n---\nYou are Coder.");
  await b.ask("POST", "/agents", { slug: "writer", text: "---\ntools: [Edit, Write, Bash, Read]\n---\nYou are Writer." });
  b.replies.push([launch("a", { agent: "Writer" }), ended]);
  await start(b);
  await soon(async () => expect(b.requests.some(({ system }) => system.startsWith("You are Writer."))).toBe(true));
  const listed = (await (await b.ask("GET", "/dialogs?facts=all")).json()) as { dialogId: string }[];
  const child = listed.find(({ dialogId }) => dialogId.endsWith("-writer"));
  const { markdown } = await dialogOf(b, child?.dialogId ?? "");
  expect(markdown).toContain("\n> Tools: edit_file\n> Ceiling: edit_file, launch_agent\n");
  expect(markdown).toContain("\n> Authorized: edit_file\n");
  expect(markdown).not.toMatch(/Authorized: (?:vfs_read|run_command)/);
});

test("a dialog keeps the agent that it began with, through a reload, in a fork and in a dialog that continues it", async () => {
  const b = await bench([say("One.")], { welcome: [main], answer: say("More.") });
  await withAgent(b);
  await start(b);
  const { id } = await b.dialog();
  await b.ask("PUT", "/agents/profile/coder", { text: "You are another." });
  const again = await b.reload();
  await (await again.ask("PUT", "/dialog", { dialogId: id, prompt: "And?" })).text();
  await (await again.ask("POST", `/dialog/${id}/fork`, { message: 1, prompt: "Say it otherwise." })).text();
  await (await again.ask("POST", `/dialog/${id}/continue`, {})).text();
  expect(again.requests.length).toBe(3);
  for (const { system, tools } of again.requests) {
    expect(system.startsWith("You are Coder.")).toBe(true);
    expect(tools.map(({ name }) => name)).toEqual(["write_file", "edit_file"]);
  }
  const { agent } = await dialogOf(again, id);
  for (const { dialogId } of (await (await again.ask("GET", "/dialogs")).json()) as { dialogId: string }[])
    expect((await dialogOf(again, dialogId)).agent).toEqual(agent);
  expect(again.reported).toEqual([]);
});

test.each([
  ["unknown", "nobody", ""],
  ["inactive", "coder", "---\nis_active: false\n---\nYou code."],
  ["a system agent", "coder", "---\nis_system: true\n---\nYou code."],
])("an agent that is %s starts no dialog", async (_what, agent, text) => {
  const b = await bench();
  await b.ask("POST", "/agents", { slug: "coder", text });
  const answer = await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go", agent });
  expect([answer.status, await answer.json()]).toEqual([404, { error: `agent: there is no active agent ${agent} in vibey/` }]);
  expect(await (await b.ask("GET", "/dialogs")).json()).toEqual([]);
});

test("an agent that was only found starts no dialog", async () => {
  const b = await bench();
  await b.engine.fetch(new Request("http://engine/deed/agents/coder.md", { method: "PUT", body: "Found." }));
  expect((await b.ask("POST", "/dialog/new", { provider: "claude", agent: "coder" })).status).toBe(404);
});

test.each([
  ["model-9", "claude", "model-9"],
  ["claude/model-7", "claude", "model-7"],
  ["nowhere/model-7", "claude", "nowhere/model-7"],
  ["sonnet", "claude", "claude-sonnet-5-5"],
])("model: %s is %s %s", async (said, provider, model) => {
  const b = await bench([say("Yes.")]);
  await withAgent(b, `---\nmodel: ${said}\n---\nYou code.`);
  await start(b);
  const { id } = await b.dialog();
  expect(await dialogOf(b, id)).toMatchObject({ provider, model });
});

test("a file limits its agent to files, and what it escalates asks whatever is allowed", async () => {
  const text =
    "---\nreads: [docs/**]\nwrites: [src/**]\nescalate_actions: [edit_file]\ntools: [Read, Glob, Write, Edit]\n---\nYou are Coder.";
  const all = "> Authorized: write_file\n> Authorized: edit_file\n> Authorized: writes under src/\n";
  const replies = [
    [
      call("a", "write_file", { path: "other.txt", content: "x" }),
      call("b", "write_file", { path: "src/a.txt", content: "x" }),
      call("c", "vfs_read", { path: "vibey/doc-main.md" }),
      call("f", "vfs_list", { prefix: "vibey/doc" }),
      ended,
    ] as const,
    [call("d", "edit_file", { path: "src/a.txt", old_string: "x", new_string: "y" }), ended] as const,
  ];
  const b = await bench(replies, { welcome: [{ name: "doc-main.md", content: all }] });
  await withAgent(b, text);
  await start(b);
  const { id, markdown } = await b.dialog();
  expect(markdown).toContain("> Asks: edit_file\n> Asks always: edit_file\n> Reads: docs/**\n> Writes: src/**\n");
  expect(markdown).toContain("path: this agent can write src/** only, as its file says");
  expect(markdown).toContain("path: this agent can read docs/** only, as its file says");
  // The agent may list the names of files.
  expect(markdown).toContain(`"text": "['vibey/doc-main.md']"`);
  expect(await b.text("src/a.txt")).toBe("x");
  await b.ask("PUT", "/dialog", { dialogId: id, authorizations: "allow edit_file" });
  b.replies.push([call("e", "edit_file", { path: "src/a.txt", old_string: "x", new_string: "z" }), ended]);
  await (await b.ask("PUT", "/dialog", { dialogId: id, decisions: "d: deny", prompt: "Again." })).text();
  expect((await dialogOf(b, id)).authorized).toContain("edit_file");
  expect(await b.text("src/a.txt")).toBe("x");
});

test("main can take reading back for every agent", async () => {
  const b = await bench([[call("a", "vfs_read", { path: "vibey/doc-main.md" }), ended]], {
    welcome: [{ name: "doc-main.md", content: "> Revoked: vfs_read\n" }],
  });
  await withAgent(b, "You are Coder.");
  await start(b);
  const { id } = await b.dialog();
  expect((await dialogOf(b, id)).authorized).toEqual(["vfs_list"]);
});
