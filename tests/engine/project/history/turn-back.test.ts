import * as fc from "fast-check";
import { expect, test } from "vitest";
import { agent } from "../../../../src/fs/actor.ts";
import type { HistoryStore } from "../../../../src/fs/history/store.ts";
import { memoryStore } from "../../../../src/fs/memory.ts";
import { call, ended, outcome, say } from "../../harness.ts";
import { changesOf, project, type Project } from "./project.ts";

const welcome = [{ name: "doc-main.md", content: "> Authorized: run_command\n> Authorized: write_file\n\n# A game\n" }];
const go = { provider: "claude", slug: "game", prompt: "Go" };

/** A project with an agent whose commands leave these contents, one command per turn; null removes a file. */
async function withCommands(...commands: Record<string, string | Uint8Array | null>[]): Promise<Project> {
  const store = memoryStore();
  const p = await project(
    commands.flatMap((_, n) => [[call(`c${n}`, "run_command", { command: `${n}` }), ended], say("Done.")]),
    { welcome, store, run: async (command) => outcome("", await changesOf(store, commands[Number(command)] ?? {})) },
  );
  await p.history();
  return p;
}

/** Runs one turn of a new dialog and returns the id of its commit. */
async function turn(p: Project): Promise<string> {
  const frames = await p.frames(await p.ask("POST", "/dialog", go));
  const [first] = frames;
  if (first?.type !== "dialog") throw new Error("no dialog");
  return (await p.newest(`?dialog=${first.dialogId}`)).id;
}

test("rm -rf is undone by one click, byte for byte, and that can be undone too", async () => {
  const bytes = new Uint8Array(5000).map((_, n) => n * 7);
  const all = { "index.html": null, "src/a.js": null, "src/deep/b.bin": null, "vibey/doc-rules.md": null };
  const p = await withCommands(all);
  await p.put("index.html", "<!doctype html>\r\nno end");
  await p.put("src/a.js", "");
  await p.put("src/deep/b.bin", bytes);
  await p.save("doc-rules.md", "# Rules ə\n");
  const before = await p.texts();
  const id = await turn(p);
  expect(Object.keys(await p.texts())).toEqual(["vibey/doc-main.md"]);
  expect((await p.commit(id)).changes.map(({ path, change }) => `${change} ${path}`)).toEqual(
    Object.keys(all).map((path) => `removed ${path}`),
  );

  expect(await p.turnBack("undo", id)).toMatchObject({ ok: true, changed: Object.keys(all), kept: [], damaged: [] });
  expect(await p.texts()).toEqual(before);
  const undo = await p.newest();
  expect(undo).toMatchObject({ by: { kind: "human" }, summary: expect.stringMatching(/^undid “removed index\.html, /) });

  expect((await p.commit(id)).undone).toEqual({ by: undo.id, files: 4 });

  expect(await p.turnBack("undo", undo.id)).toMatchObject({ ok: true, changed: Object.keys(all), kept: [], damaged: [] });
  expect(Object.keys(await p.texts())).toEqual(["vibey/doc-main.md"]);
  expect((await p.newest()).summary).toMatch(/^redid “removed index\.html, /);
  expect((await p.commit(id)).undone).toBeNull();
  await p.turnBack("restore", undo.id);
  expect(await p.texts()).toEqual(before);
  expect(p.reported).toEqual([]);
});

test("undo keeps what was changed since in other lines, and leaves what was changed in the same ones", async () => {
  const lines = (...changed: [number, string][]) => Array.from({ length: 9 }, (_, n) => new Map(changed).get(n) ?? `line ${n}`).join("\n");
  const p = await withCommands({
    "a.txt": lines([1, "AGENT"]),
    "b.txt": lines([1, "AGENT"]),
    "c.txt": "agent's",
    "d.txt": null,
    "e.bin": new Uint8Array([0, 2]),
  });
  for (const name of ["a.txt", "b.txt", "d.txt"]) await p.put(name, lines());
  await p.put("e.bin", new Uint8Array([0, 1]));
  const id = await turn(p);
  await p.put("a.txt", lines([1, "AGENT"], [7, "HUMAN"]));
  await p.put("b.txt", lines([1, "HUMAN"]));
  await p.put("c.txt", "human's");
  await p.put("d.txt", "written anew");
  await p.put("e.bin", new Uint8Array([0, 3]));
  const answer = await p.turnBack("undo", id);
  expect(answer).toMatchObject({ ok: true, changed: ["a.txt"], kept: ["b.txt", "c.txt", "d.txt", "e.bin"], damaged: [] });
  expect(await p.texts()).toMatchObject({
    "a.txt": lines([7, "HUMAN"]),
    "b.txt": lines([1, "HUMAN"]),
    "c.txt": "human's",
    "d.txt": "written anew",
    "e.bin": "\u0000\u0003",
  });
  expect(await p.turnBack("undo", id)).toMatchObject({ ok: true, changed: [], kept: ["b.txt", "c.txt", "d.txt", "e.bin"], damaged: [] });
});

test("one file can be undone and restored alone", async () => {
  const p = await withCommands({ "a.txt": "2", "b.txt": "2" });
  await p.put("a.txt", "1");
  const first = (await p.newest()).id;
  await p.put("b.txt", "1");
  const id = await turn(p);
  expect(await p.turnBack("undo", id, "b.txt")).toMatchObject({ ok: true, changed: ["b.txt"], kept: [], damaged: [] });
  expect(await p.texts()).toMatchObject({ "a.txt": "2", "b.txt": "1" });
  expect(await p.turnBack("restore", first, "a.txt")).toMatchObject({ ok: true, changed: ["a.txt"], kept: [], damaged: [] });
  // This commit doesn't contain the file.
  expect(await p.turnBack("restore", first, "b.txt")).toMatchObject({ ok: true, changed: ["b.txt"], kept: [], damaged: [] });
  expect(await p.texts()).toEqual({ "a.txt": "1", "vibey/doc-main.md": welcome[0]?.content });
  expect((await p.newest()).summary).toMatch(/^restored b\.txt as of 2026-11-21 20:\d\d UTC$/);
});

test("what is in no commit yet is committed first, so that a restore loses nothing", async () => {
  const p = await withCommands();
  await p.put("a.txt", "1");
  const { id } = await p.newest();
  await p.put("a.txt", "not committed yet");
  await p.put("new.txt", "nor this");
  const preview = async (one: string) => (await p.ask("GET", `/history/${one}/restore`)).json();
  expect(await preview(id)).toEqual({ files: 2, paths: ["a.txt", "new.txt"] });
  const answer = await p.turnBack("restore", id);
  expect(answer).toMatchObject({ changed: ["a.txt", "new.txt"] });
  const { commits } = await p.history("?limit=3");
  expect(answer.commit).toBe(commits[0]?.id);
  expect(await preview(id)).toEqual({ files: 0, paths: [] });
  expect(await p.turnBack("restore", id)).toMatchObject({ changed: [], commit: null });
  expect(commits.map(({ summary }) => summary.replace(/ as of.*/, ""))).toEqual(["restored everything", "added new.txt", "edited a.txt"]);
  await p.turnBack("undo", commits[0]?.id ?? "");
  expect(await p.texts()).toMatchObject({ "a.txt": "not committed yet", "new.txt": "nor this" });
});

test("dialogs are left alone, and authority lines that come back are told", async () => {
  const p = await withCommands();
  const { id } = await p.newest();
  await (await p.ask("POST", "/dialog/new", { provider: "claude" })).text();
  const dialogs = await (await p.ask("GET", "/dialogs")).text();
  await p.save("doc-main.md", "> Revoked: x\n# Mine\n");
  const events = await p.ask("GET", "/events");
  await p.turnBack("restore", id);
  expect(await p.texts()).toEqual({ "vibey/doc-main.md": welcome[0]?.content });
  expect(await (await p.ask("GET", "/dialogs")).text()).toBe(dialogs);
  const reader = events.body?.getReader();
  let told = "";
  while (!told.includes('"authority"')) told += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  expect(told).toContain("This changed permissions in main: ");
  expect(told).toContain("> Authorized: run_command");
  expect(told).toContain("> Revoked: x");
});

test("undoing an agent's commit brings back no authority line that the human has taken away since", async () => {
  const line = "> Authorized: run_command\n";
  const q = await withCommands({ "vibey/doc-main.md": `${line}# A game\n\n1\n` });
  await q.save("doc-main.md", `# A game\n\n1\n${line}`);
  const moved = await turn(q);
  await q.save("doc-main.md", "# A game\n\n1\n");
  await q.turnBack("undo", moved);
  expect((await q.texts())["vibey/doc-main.md"]).not.toMatch(/^> Authorized/m);
});

test("undoing the human's own commit takes back the line that they allowed with it, wherever an agent has moved it since", async () => {
  const [run, line, text] = ["> Authorized: run_command\n", "> Authorized: launch_agent\n", "\n# A game\n\n1\n2\n3\n"];
  const q = await withCommands({ "vibey/doc-main.md": `${run}${text}${line}` });
  await q.save("doc-main.md", run + text);
  await q.newest();
  await q.save("doc-main.md", run + line + text);
  const allowed = (await q.newest()).id;
  await turn(q);
  expect((await q.texts())["vibey/doc-main.md"]).toBe(`${run}${text}${line}`);
  await q.turnBack("undo", allowed);
  expect((await q.texts())["vibey/doc-main.md"]).toBe(`${run}${text}\\${line}`);
});

test("a file that changes while it is restored is looked at again", async () => {
  let meddle = false;
  const p: Project = await project([], {
    welcome,
    aroundCommit: async (commit) => {
      if (!meddle) return commit();
      meddle = false;
      await p.put("a.txt", "in between");
      return commit();
    },
  });
  await p.put("a.txt", "1");
  const { id } = await p.newest();
  await p.put("a.txt", "2");
  await p.history();
  // A normal save would wait in the store's queue, so this save bypasses the store.
  const direct = async () => {
    const { memoryFiles } = await import("../../../../src/fs/memory.ts");
    const files = memoryFiles({ now: () => 0, store: p.store });
    const { path } = await import("../../../fs/notation.ts");
    await files.commit([{ op: "write", path: path("a.txt"), data: "in between" }], { durability: "relaxed", by: agent("x") });
  };
  p.put = direct;
  meddle = true;
  expect(await p.turnBack("restore", id, "a.txt")).toMatchObject({ ok: true, changed: ["a.txt"], kept: [], damaged: [] });
  expect((await p.texts())["a.txt"]).toBe("1");
  expect(await p.lines("?path=a.txt&limit=3")).toEqual([
    expect.stringMatching(/^human: restored a\.txt/),
    "agent: edited a.txt",
    "human: edited a.txt",
  ]);
});

test("law: restoring a commit gives exactly its files, undoing the restore what was there, and undoing that the commit's again", async () => {
  const step = fc.dictionary(fc.constantFrom("a", "a/b", "c.txt", "vibey/doc-x.md"), fc.option(fc.constantFrom("", "x\n", "y\nz\n")), {
    minKeys: 1,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), fc.nat(), async (steps, pick) => {
      const p = await project();
      const states: [string, Record<string, string>][] = [];
      for (const contents of steps) {
        for (const [name, content] of Object.entries(contents)) {
          const doc = name.startsWith("vibey/") ? name.slice("vibey/".length) : null;
          if (content === null) await p.ask("DELETE", doc ? `/file/${doc}` : `/deed/${name}`);
          else await (doc ? p.save(doc, content) : p.put(name, content));
        }
        states.push([(await p.newest()).id, await p.texts()]);
      }
      const [id, state] = states[pick % states.length] ?? ["", {}];
      const now = await p.texts();
      const { changed } = await p.turnBack("restore", id);
      expect(await p.texts()).toEqual(state);
      if (changed.length === 0) return;
      const restored = (await p.newest()).id;
      await p.turnBack("undo", restored);
      expect(await p.texts()).toEqual(now);
      await p.turnBack("undo", (await p.newest()).id);
      expect(await p.texts()).toEqual(state);
      expect(p.reported).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

test.each(["undo", "restore"] as const)("%s of many agents' files pages through the history once", async (how) => {
  let pages = 0;
  const around = (store: HistoryStore): HistoryStore => ({
    ...store,
    changes: (from, to) => {
      pages += 1;
      return store.changes(from, to);
    },
  });
  const agents = Array.from({ length: 40 }, (_, at) => `vibey/agent-a${at}.md`);
  const p = await project([], { welcome, around });
  const { id: first } = await p.newest();
  for (const path of agents) await p.save(path.slice("vibey/".length), "You work.");
  const removed = await p.turnBack("restore", first);
  expect(removed.changed.toSorted()).toEqual(agents.toSorted());
  const [, before] = (await p.history()).commits;
  pages = 0;
  expect((await p.turnBack(how, (how === "undo" ? removed.commit : before?.id) ?? "")).changed.toSorted()).toEqual(agents.toSorted());
  expect(pages).toBeLessThan(10);
});

test("an agent that may read without asking again is told of", async () => {
  const p = await withCommands();
  const written = (more: string) => `---\nname: A\ntools: [vfs_read, vfs_list]\n${more}---\nLook.\n`;
  await p.save("agent-a.md", written(""));
  const { id } = await p.newest();
  await p.save("agent-a.md", written("approve_actions: [vfs_read]\n"));
  const events = await p.ask("GET", "/events");
  await p.turnBack("restore", id);
  const reader = events.body?.getReader();
  let told = "";
  while (!told.includes('"authority"')) told += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  expect(told).toContain("The agent of vibey/agent-a.md may use vfs_read without asking again.");
});
