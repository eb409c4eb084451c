import { expect, test } from "vitest";
import { soon } from "../../../soon.ts";
import { memoryStore } from "../../../../src/fs/memory.ts";
import { watchers } from "../../../../src/fs/watchers.ts";
import { call, ended, outcome, say } from "../../harness.ts";
import type { FilesThenAnswer, StepsAnswer } from "../../../../src/protocol/index.ts";
import { deferred } from "../../deferred.ts";
import { changesOf, project, quiet } from "./project.ts";

const go = { provider: "claude", slug: "game", prompt: "Go" };

const write = (id: string, path: string, content: string) => call(id, "write_file", { path, content });

/** Allows all tools. */
const allowed = { "doc-main.md": "> Authorized: write_file\n> Authorized: run_command\n\n# A game\n" };
const welcome = Object.entries(allowed).map(([name, content]) => ({ name, content }));

test("Vibey's own files, a human's save and a turn are a commit each, and say who", async () => {
  const p = await project([[write("a", "src/x.js", "1\n"), write("b", "src/y.js", "2\n"), ended], say("Done.")], { welcome });
  await p.save("doc-rules.md", "Be kind.\n");
  const frames = await p.frames(await p.ask("POST", "/dialog", go));
  expect(frames.at(-1)).toMatchObject({ type: "done" });
  expect(await p.lines()).toEqual(["agent: added src/x.js, src/y.js", "human: docs: added rules.md", "vibey: docs: added main.md"]);
  const { id } = await p.dialog();
  const commit = await p.newest(`?dialog=${id}`);
  expect(commit).toMatchObject({ by: { kind: "agent", dialogId: id }, filesChanged: 2 });
  expect(await p.commit(commit.id)).toEqual({
    ...commit,
    changes: [
      { path: "src/x.js", change: "added" },
      { path: "src/y.js", change: "added" },
    ],
  });
  expect(await p.lines("?path=src/x.js")).toEqual(["agent: added src/x.js, src/y.js"]);
  expect(await p.lines("?path=vibey/doc-rules.md")).toEqual(["human: docs: added rules.md"]);
  expect(p.reported).toEqual([]);
});

test("dialogs and node_modules are in no commit; what is written below .git is", async () => {
  const p = await project();
  for (const name of [".git/HEAD", "lib/.git/x", ".GIT/x", "node_modules/a/index.js", "lib/node_modules/b", "src/a.js", ".gitignore"])
    await p.put(name, "x");
  await (await p.ask("POST", "/dialog/new", { provider: "claude" })).text();
  const { commits } = await p.history();
  const paths = await Promise.all(commits.map(async ({ id }) => (await p.commit(id)).changes.map(({ path }) => path)));
  const others = [".GIT/x", ".git/HEAD", ".gitignore", "lib/.git/x", "src/a.js", "vibey/doc-main.md"];
  expect(paths.flat().toSorted()).toEqual(others);
  expect(p.reported).toEqual([]);
});

test("saves of one file within half a minute are one commit; another file, and a pause, begin the next", async () => {
  const p = await project();
  await p.history();
  await p.save("doc-a.md", "1");
  await p.save("doc-a.md", "2");
  await p.save("doc-b.md", "1");
  await p.save("doc-a.md", "3");
  await p.pass(30_000);
  await p.save("doc-a.md", "4");
  expect(await p.lines()).toEqual([
    "human: docs: edited a.md",
    "human: docs: edited a.md",
    "human: docs: added b.md",
    "human: docs: added a.md",
    "vibey: docs: added main.md",
  ]);
  const texts = await Promise.all(
    (await p.history("?path=vibey/doc-a.md")).commits.map(async ({ id }) =>
      (await p.ask("GET", `/history/${id}/file/vibey/doc-a.md`)).text(),
    ),
  );
  expect(texts).toEqual(["4", "3", "2"]);
});

test("a commit is made by itself: half a minute after a save, and when a turn ends", async () => {
  const p = await project([[write("a", "x", "1\n"), ended], say("Done.")], { welcome });
  await p.history();
  const listed = (summaries: string[]) => soon(() => expect(p.memory.commits.map(({ summary }) => summary)).toEqual(summaries));
  await p.save("doc-a.md", "1");
  await quiet();
  await listed(["docs: added main.md"]);
  await p.pass(30_000);
  await listed(["docs: added main.md", "docs: added a.md"]);
  await p.frames(await p.ask("POST", "/dialog", go));
  await listed(["docs: added main.md", "docs: added a.md", "added x"]);
});

test("what the user saves while an agent works, or before it does, is in the history at once, and the agent's next event comes after it", async () => {
  const asked = deferred<void>();
  const answer = deferred<void>();
  const p = await project(
    [
      async function* () {
        asked.resolve();
        await answer.promise;
        yield* [write("a", "x", "1\n"), ended];
      },
      say("Done."),
    ],
    { welcome: [{ name: "doc-main.md", content: "# A game\n" }] },
  );
  await p.history();
  const committed = (count: number) => soon(() => expect(p.memory.commits).toHaveLength(count));
  await p.save("doc-a.md", "1");
  await quiet();
  await committed(1);
  const turn = p.ask("POST", "/dialog", go).then((response) => response.text());
  await asked.promise;
  await committed(2);
  await p.save("doc-a.md", "2");
  await committed(3);
  await p.save("doc-a.md", "3");
  await committed(4);
  answer.resolve();
  await turn;
  // The agent asks to write: anything saved now comes before its later work.
  await p.put("y", "1");
  await committed(5);
  const { id } = await p.dialog();
  await (await p.ask("PUT", "/dialog", { dialogId: id, decisions: [{ id: "a", approved: true }] })).text();
  const { steps } = (await (await p.ask("GET", `/agents/log/steps?run=${id}`)).json()) as StepsAnswer;
  const textAt = async (what: string, path: string) => {
    const event = steps.find((step) => step.what === what)?.cursor ?? "";
    const { commit } = (await (await p.ask("GET", `/agents/log/files?event=${event}`)).json()) as FilesThenAnswer;
    const file = await p.ask("GET", `/history/${commit}/file/${path}`);
    return file.ok ? file.text() : null;
  };
  expect(await textAt("call", "vibey/doc-a.md")).toBe("3");
  expect([await textAt("call", "y"), await textAt("result", "y")]).toEqual([null, "1"]);
  expect(p.reported).toEqual([]);
});

test("an undo while an agent works is one commit in its own words", async () => {
  const p = await project([], {
    answer: async function* () {
      await new Promise(() => undefined);
      yield ended;
    },
  });
  await p.put("x", "1");
  const added = await p.newest();
  void p.ask("POST", "/dialog", go).then((response) => response.text());
  await soon(() => expect(p.requests).toHaveLength(1));
  expect(await p.turnBack("undo", added.id)).toMatchObject({ changed: ["x"], commit: (await p.newest()).id });
  expect(await p.lines("?limit=1")).toEqual(["human: undid “added x”"]);
});

test("a file that a human saves without end is in the history after five minutes", async () => {
  const p = await project();
  await p.history();
  await p.save("doc-a.md", "1");
  for (let n = 0; n < 5; n++) await p.save("doc-a.md", `more ${n}`);
  await p.pass(300_000);
  await soon(() => expect(p.memory.commits.at(-1)?.summary).toBe("docs: added a.md"));
});

test("an agent and the human who change the same file in turns are never in one commit, whatever the file holds", async () => {
  const binary = (n: number) => new Uint8Array([0, n, 255]);
  const store = memoryStore();
  const saved: (() => Promise<void>)[] = [];
  const p = await project(
    [[call("a", "run_command", { command: "1" }), ended], [call("b", "run_command", { command: "2" }), ended], say("Done.")],
    {
      welcome,
      store,
      run: async (command) => {
        // The user changes the file before the second command, which starts from there.
        if (command === "2") for (const save of saved) await save();
        return outcome("", await changesOf(store, { x: binary(command === "1" ? 1 : 3), [`only-${command}`]: "x" }));
      },
    },
  );
  await p.history();
  saved.push(() => p.put("x", binary(2)));
  await p.frames(await p.ask("POST", "/dialog", go));
  expect(await p.lines("?limit=3")).toEqual(["agent: changed only-2, x", "human: edited x", "agent: added only-1, x"]);
  const states = await Promise.all(
    (await p.history("?path=x")).commits.map(
      async ({ id }) => new Uint8Array(await (await p.ask("GET", `/history/${id}/file/x`)).arrayBuffer()),
    ),
  );
  expect(states).toEqual([binary(3), binary(2), binary(1)]);
  expect(p.reported).toEqual([]);
});

test("two changes of one file before the history is opened are two commits", async () => {
  const p = await project([[write("a", "vibey/doc-rules.md", "agent\n"), ended], say("Done.")], { welcome });
  await p.save("doc-rules.md", "human\n");
  await p.frames(await p.ask("POST", "/dialog", go));
  expect(await p.lines()).toEqual(["agent: docs: edited rules.md", "human: docs: added rules.md", "vibey: docs: added main.md"]);
});

test("what was there before the history began is in it, also where it was changed at once", async () => {
  const before = await project([], { history: undefined as never });
  await before.put("old.txt", "old\n");
  await before.put("kept.txt", "kept\n");
  await before.put("gone.txt", "gone\n");
  const p = await before.again([], { history: undefined as never });
  expect((await p.ask("GET", "/history")).status).toBe(404);
  const store = before.store;
  const q = await project([], { store });
  await q.put("old.txt", "new\n");
  await q.ask("DELETE", "/deed/gone.txt");
  expect(await q.lines()).toEqual([
    "human: removed gone.txt",
    "human: edited old.txt",
    "vibey: added gone.txt, kept.txt, old.txt, vibey/doc-main.md",
  ]);
});

test("what an engine left uncommitted the next one commits, with who it was", async () => {
  const p = await project([[write("a", "x", "1\n"), ended, call("b", "run_command", { command: "sleep" }), ended]], {
    welcome,
    run: () => new Promise(() => undefined),
  });
  await p.history();
  await p.save("doc-a.md", "1");
  p.replies = [[write("a", "x", "1\n"), call("b", "run_command", { command: "sleep" }), ended]];
  void p.ask("POST", "/dialog", go).then((answer) => answer.text());
  await soon(() => expect(p.commands).toEqual(["sleep"]));
  await soon(() => expect(p.memory.commits).toHaveLength(2));
  const q = await p.again();
  expect((await q.lines()).toSorted()).toEqual(["agent: added x", "human: docs: added a.md", "vibey: docs: added main.md"]);
  await q.save("doc-b.md", "1");
  await quiet();
  expect(p.memory.commits).toHaveLength(3);
  const r = await q.again();
  expect(await r.lines("?limit=1")).toEqual(["human: docs: added b.md"]);
  expect(p.memory.notes).toEqual([]);
  expect([...q.reported, ...r.reported]).toEqual([]);
});

test("a change that nobody saw is committed by Vibey when it is found", async () => {
  const p = await project();
  await p.put("x", "1");
  await p.history();
  const other = await project([], { store: { ...p.store, watchers: watchers() }, history: undefined as never });
  await other.put("x", "2");
  await other.ask("DELETE", "/file/doc-main.md");
  const q = await project([], { store: other.store, memory: p.memory });
  expect(await q.lines("?limit=1")).toEqual(["vibey: changed vibey/doc-main.md, x"]);
});

test("an engine that was replaced writes nothing more, and the new one goes on", async () => {
  const p = await project();
  await p.put("x", "1");
  await p.history();
  const q = await p.again();
  await q.put("y", "1");
  await q.history();
  const answer = await p.ask("PUT", "/deed/z", "1");
  expect(answer.status).toBe(507);
  await p.history();
  expect(await q.lines()).toEqual(["human: added y", "human: added x", "vibey: docs: added main.md"]);
});

test("a zip with the history waits for no change that is made meanwhile", async () => {
  let commits = 0;
  let meanwhile: (nth: number) => Promise<void> = async () => undefined;
  const p = await project([], {
    around: (inner) => ({
      ...inner,
      async write(batch, epoch) {
        if (batch.commit) await meanwhile((commits += 1));
        return inner.write(batch, epoch);
      },
    }),
  });
  await p.history();
  commits = 0;
  // Each commit finds two more to make, also while the zip is written. It stops after two thousand, so that a mistake doesn't look like a hang.
  meanwhile = async (nth) => {
    if (nth > 2_000) return;
    await p.save("doc-a.md", String(nth));
    await p.put("log.txt", String(nth));
  };
  await p.save("doc-a.md", "first");
  await p.put("log.txt", "first");
  const answer = await p.ask("GET", "/project.zip?scope=all");
  expect(commits).toBeLessThan(2_000);
  expect(answer.status).toBe(200);
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
});
