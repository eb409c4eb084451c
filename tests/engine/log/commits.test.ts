import { expect, test } from "vitest";
import { memoryHistoryStore } from "../../../src/fs/history/memory-store.ts";
import { memoryFiles, memoryStore } from "../../../src/fs/memory.ts";
import { StorageError } from "../../../src/fs/storage-error.ts";
import type { LogAnswer, LogEvent } from "../../../src/protocol/log.ts";
import { path } from "../../fs/notation.ts";
import { call, ended, outcome, say } from "../harness.ts";
import { type Project, project } from "../project/history/project.ts";

const allowed = "> Authorized: write_file\n> Authorized: run_command\n\n# A game\n";
const welcome = [{ name: "doc-main.md", content: allowed }];
const go = { provider: "claude", slug: "game", prompt: "Go" };
const turn = [
  [call("a", "write_file", { path: "a.js", content: "1\n" }), call("b", "run_command", { command: "touch b.js" }), ended],
  say("Done."),
];
const run = async () => outcome("", [{ path: path("b.js"), bytes: new TextEncoder().encode("2\n"), base: null }]);

async function logOf(p: Project, query = ""): Promise<LogAnswer> {
  const answer = await p.ask("GET", `/log?limit=1000${query}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as LogAnswer;
}

/** `who: what`, oldest first; for commits, the changes. */
const lines = ({ events }: LogAnswer) =>
  events.toReversed().map((event) => `${event.actor.kind}: ${event.type === "commit" ? event.data.summary : event.type}`);
const commitsOf = (answer: LogAnswer) => lines({ ...answer, events: answer.events.filter(({ type }) => type === "commit") });
const idsInDialogs = ({ events }: LogAnswer) => events.flatMap(({ type, id }) => (type === "commit" ? [] : [id])).toSorted();
const cursors = ({ events }: { events: readonly LogEvent[] }) => events.map(({ cursor }) => cursor);

async function worked(options: Parameters<typeof project>[1] = {}): Promise<Project> {
  const p = await project(turn, { welcome, run, ...options });
  await p.save("doc-rules.md", "Be kind.\n");
  await logOf(p);
  expect((await p.frames(await p.ask("POST", "/dialog", go))).at(-1)).toMatchObject({ type: "done" });
  return p;
}

test("what Vibey, the user, and an agent's tools and commands change are events, between those of the dialogs", async () => {
  const p = await worked();
  const all = await logOf(p);
  expect(lines(all)).toEqual([
    "vibey: docs: added main.md",
    "human: docs: added rules.md",
    "human: activation",
    "human: authority",
    "human: authority",
    "human: message",
    "agent: request",
    "agent: tool_call",
    "agent: tool_call",
    "vibey: approval",
    "vibey: approval",
    "agent: tool_result",
    "agent: file_change",
    "agent: tool_result",
    "agent: request",
    "agent: text",
    "agent: complete",
    "agent: added a.js, b.js",
  ]);
  const { id } = await p.dialog();
  const commit = await p.newest(`?dialog=${id}`);
  expect(all.events[0]).toMatchObject({
    id: `commit/${commit.id}`,
    time: commit.time,
    exact: true,
    actor: { kind: "agent", dialogId: id },
    dialogId: id,
    anchor: null,
    data: {
      commit: commit.id,
      files: 2,
      changes: [
        { path: "a.js", change: "added" },
        { path: "b.js", change: "added" },
      ],
    },
  });
  expect(p.reported).toEqual([]);
});

test("filters find them", async () => {
  const p = await worked();
  const { id } = await p.dialog();
  expect(lines(await logOf(p, "&type=commit"))).toEqual([
    "vibey: docs: added main.md",
    "human: docs: added rules.md",
    "agent: added a.js, b.js",
  ]);
  expect(lines(await logOf(p, "&type=commit&by=human"))).toEqual(["human: docs: added rules.md"]);
  expect(commitsOf(await logOf(p, `&dialog=${id}`))).toEqual(["agent: added a.js, b.js"]);
  expect(commitsOf(await logOf(p, "&tool=write_file"))).toEqual([]);
});

test("a commit of many files names the first of them, and says how many there are", async () => {
  const store = memoryStore();
  const names = Array.from({ length: 30 }, (_, nth) => path(`f${10 + nth}`));
  const changes = names.map((name) => ({ op: "write", path: name, data: "x" }) as const);
  await memoryFiles({ now: () => 0, store }).commit(changes, { durability: "strict" });
  const p = await project([], { store });
  const [event] = (await logOf(p, "&type=commit")).events;
  expect(event).toMatchObject({ data: { files: 30 } });
  expect(event?.type === "commit" && event.data.changes.map((change) => change.path)).toEqual(names.slice(0, 20));
});

test("commits that the order has not noted come when the log is next opened, each once, and no cursor moves", async () => {
  let isFull = false;
  const p = await worked({
    aroundCommit: async (commit, options) =>
      isFull && options.index && !options.expect ? { ok: false, failure: { kind: "full", message: "full" } } : commit(),
  });
  const before = await logOf(p);
  isFull = true;
  await p.save("doc-more.md", "More.\n");
  expect(await logOf(p)).toEqual(before);
  isFull = false;
  const again = await p.again();
  const after = await logOf(again);
  expect(after.logId).toBe(before.logId);
  expect(commitsOf(after)).toEqual([...commitsOf(before), "human: docs: added more.md"]);
  expect(cursors(after).slice(1)).toEqual(cursors(before));
  expect(await logOf(await again.again())).toEqual(after);
});

test("an order that is made again has them where their times are", async () => {
  const p = await worked();
  const before = await logOf(p);
  const files = memoryFiles({ now: () => 0, store: p.store });
  await files.restartIndex([], { epoch: await files.lead() });
  const again = await p.again();
  const after = await logOf(again);
  expect(after.logId).not.toBe(before.logId);
  expect(after.events.map(({ id }) => id).toSorted()).toEqual(before.events.map(({ id }) => id).toSorted());
  expect(commitsOf(after)).toEqual(commitsOf(before));
  expect(after.events.every(({ exact }) => !exact)).toBe(true);
});

test("a history that has lost commits begins another order", async () => {
  const p = await worked();
  const before = await logOf(p);
  const after = await logOf(await project([], { store: p.store }));
  expect(after.logId).not.toBe(before.logId);
  expect(idsInDialogs(after)).toEqual(idsInDialogs(before));
});

test.each(["can't be opened", "can't be read"])("a history that %s costs its commits and nothing else", async (how) => {
  const p = await worked();
  const before = await logOf(p);
  const fail = () => Promise.reject(new StorageError("damaged", "the history is damaged"));
  const history = async () => (how === "can't be opened" ? fail() : { ...memoryHistoryStore(p.memory), commits: fail });
  const again = await p.again([], { history });
  const after = await logOf(again);
  expect(after.logId).toBe(before.logId);
  expect(after.events).toEqual(before.events.filter(({ type }) => type !== "commit"));
  for (const [nth, { cursor }] of before.events.entries()) {
    const older = await logOf(again, `&before=${cursor}`);
    expect(older.events).toEqual(before.events.slice(nth + 1).filter(({ type }) => type !== "commit"));
  }
});
