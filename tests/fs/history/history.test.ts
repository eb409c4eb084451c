import { expect, test } from "vitest";
import * as fc from "fast-check";
import { openHistory } from "../../../src/fs/history/history.ts";
import { historyMemory, memoryHistoryStore } from "../../../src/fs/history/memory-store.ts";
import type { CommitRecord } from "../../../src/fs/history/store.ts";
import { path } from "../notation.ts";
import { commitFiles, human, newFile, realGit, textsAt } from "./project.ts";
import { isLong } from "../../long.ts";

async function fresh() {
  const store = memoryHistoryStore();
  return { store, history: await openHistory(store) };
}

const sure = (record: CommitRecord | null): CommitRecord => {
  if (!record) throw new Error("no commit");
  return record;
};

test("a commit holds what changed, and all that did not", async () => {
  const { history } = await fresh();
  const first = sure(await commitFiles(history, { a: "1", "b/c": "2", "b/d/e": "3" }));
  const second = sure(await commitFiles(history, { "b/c": "two", "b/d/e": null, f: "4" }));
  expect(await textsAt(history, first)).toEqual({ a: "1", "b/c": "2", "b/d/e": "3" });
  expect(await textsAt(history, second)).toEqual({ a: "1", "b/c": "two", f: "4" });
  expect((await history.get(second.id))?.files.map(({ path: one, before, after }) => [one, before !== null, after !== null])).toEqual([
    ["b/c", true, true],
    ["b/d/e", true, false],
    ["f", false, true],
  ]);
  expect(await history.fileAt(first, path("b/c"))).not.toBeNull();
  for (const none of ["b", "b/d", "c", "a/b"]) expect(await history.fileAt(second, path(none))).toBeNull();
});

test("what changes nothing makes no commit, and its state is known all the same", async () => {
  const { store, history } = await fresh();
  await commitFiles(history, { a: "1" });
  const [before] = await store.file([path("a")]);
  expect(await commitFiles(history, { a: "1", b: null })).toBeNull();
  const [after] = await store.file([path("a")]);
  expect(after?.version).toBeGreaterThan(before?.version ?? Infinity);
  expect((await store.head())?.number).toBe(1);
});

test("a file whose content can't be had any more is left as it was", async () => {
  const { history } = await fresh();
  await commitFiles(history, { a: "1" });
  const files = [{ path: path("a"), read: async () => "unknown" as const }, newFile("b", "2")];
  const done = await history.commit({ author: human, time: 0, summary: () => "x", trailers: [], files, notes: [] });
  expect(done.ok && done.record && (await textsAt(history, done.record))).toEqual({ a: "1", b: "2" });
});

test("a commit writes the contents and folders that changed, and nothing else", async () => {
  const { store, history } = await fresh();
  await commitFiles(history, Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`d${n % 5}/e${n % 10}/f${n}`, `${n}`])));
  const before = (await store.oids()).length;
  await commitFiles(history, { "d1/e1/f1": "new" });
  // The blob, the folders d1/e1, d1 and the root, and the commit.
  expect((await store.oids()).length - before).toBe(5);
});

test("real git reads it: fsck, log, trailers, contents", async () => {
  const { store, history } = await fresh();
  await commitFiles(history, { "vibey/doc-main.md": "# Game\n", "ä/日本 x.bin": new Uint8Array([0, 255, 1]) }, "docs: first");
  await commitFiles(history, { "vibey/doc-main.md": "# Game 2\n" }, "two\nlines \u202Eand\u200B \u0007hidden <x>");
  const git = await realGit(store);
  expect(git("fsck", "--strict", "--full")).toBe("");
  expect(git("log", "--format=%an|%ae|%s|%(trailers:key=Dialog,valueonly)").trim().split(/\n+/)).toEqual([
    "Human|human@vibey.invalid|two lines and hidden <x>|20261121-201100-game",
    "Human|human@vibey.invalid|docs: first|20261121-201100-game",
  ]);
  expect(git("show", "HEAD:vibey/doc-main.md")).toBe("# Game 2\n");
  expect(git("-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", "HEAD")).toBe("vibey/doc-main.md\nä/日本 x.bin\n");
});

test("a history whose files are all gone is a repository too", async () => {
  const { store, history } = await fresh();
  await commitFiles(history, { "a/b": "1" });
  await commitFiles(history, { "a/b": null });
  const git = await realGit(store);
  expect(git("fsck", "--strict")).toBe("");
  expect(git("ls-tree", "-r", "HEAD")).toBe("");
});

const names = [
  "a",
  "a/b",
  "a/b/c",
  "a.b",
  "a-",
  "a0",
  "b",
  "b/a",
  "a.is-a-file-too",
  "a.is-a-file-too/x",
  "a.is-a-folder",
  "a.is-a-folder/x",
  "Ä/ö",
  "😀",
  "\uE000",
  "z/.gitignore",
];

test("law: after any changes every commit holds exactly the files of its time, in git as here", async () => {
  const step = fc.dictionary(fc.constantFrom(...names), fc.option(fc.constantFrom("", "x", "y\n")), { minKeys: 1, maxKeys: 4 });
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 12 }), async (steps) => {
      const memory = historyMemory();
      const files = new Map<string, string>();
      const states: [CommitRecord, Record<string, string>][] = [];
      let history = await openHistory(memoryHistoryStore(memory));
      for (const [at, changes] of steps.entries()) {
        // Reopen now and then: data cached in memory must not matter.
        if (at % 3 === 2) history = await openHistory(memoryHistoryStore(memory));
        for (const [name, content] of Object.entries(changes)) {
          if (content === null) files.delete(name);
          else files.set(name, content);
        }
        const record = await commitFiles(history, changes);
        if (record) states.push([record, Object.fromEntries(files)]);
      }
      for (const [record, state] of states) {
        expect(await textsAt(history, record)).toEqual(state);
        for (const name of names) expect((await history.fileAt(record, path(name))) !== null).toBe(name in state);
      }
      if (checked++ < 20) {
        const git = await realGit(memoryHistoryStore(memory));
        if (states.length > 0) expect(git("fsck", "--strict", "--full", "--no-dangling")).toBe("");
        if (states.length > 0) expect(git("rev-list", "--count", "HEAD").trim()).toBe(`${states.length}`);
      }
    }),
    { numRuns: isLong ? 100 : 6 },
  );
});

test("pages and filters go through a thousand commits", async () => {
  const { history } = await fresh();
  for (let n = 0; n < 1000; n++) await commitFiles(history, { [n % 100 === 7 ? "rare/file" : `often${n % 3}`]: `${n}` }, `${n}`);
  const summaries = async (query: Partial<Parameters<typeof history.log>[0]>) => {
    const { commits, more } = await history.log({ limit: 4, ...query });
    return [commits.map(({ summary }) => Number(summary)), more];
  };
  expect(await summaries({})).toEqual([[999, 998, 997, 996], true]);
  expect(await summaries({ path: path("rare/file") })).toEqual([[907, 807, 707, 607], true]);
  expect(await summaries({ path: path("rare"), limit: 10 })).toEqual([[907, 807, 707, 607, 507, 407, 307, 207, 107, 7], false]);
  expect(await summaries({ path: path("rar") })).toEqual([[], false]);
  const { commits } = await history.log({ limit: 5, path: path("rare/file") });
  expect(await summaries({ path: path("rare/file"), before: sure(commits.at(-1) ?? null) })).toEqual([[407, 307, 207, 107], true]);
  const time = commits.at(-1)?.time ?? 0;
  expect(await summaries({ since: time, matches: ({ summary }) => Number(summary) < 600 })).toEqual([[599, 598, 597, 596], true]);
  expect(await summaries({ since: time, path: path("rare/file"), limit: 10 })).toEqual([[907, 807, 707, 607, 507], false]);
  expect(await summaries({ matches: ({ summary }) => Number(summary) < 2 })).toEqual([[1, 0], false]);
  const all: number[] = [];
  for (let before: CommitRecord | undefined; ; ) {
    const page = await history.log({ limit: 77, ...(before ? { before } : {}) });
    all.push(...page.commits.map(({ summary }) => Number(summary)));
    before = page.commits.at(-1);
    if (!page.more) break;
  }
  expect(all).toEqual(Array.from({ length: 1000 }, (_, n) => 999 - n));
});

test("a writer that was replaced can commit nothing, and what it tried has changed nothing", async () => {
  const memory = historyMemory();
  const old = await openHistory(memoryHistoryStore(memory));
  await commitFiles(old, { a: "1" });
  const current = await openHistory(memoryHistoryStore(memory));
  await expect(commitFiles(old, { a: "old" })).rejects.toThrow("fenced");
  const record = sure(await commitFiles(current, { b: "2" }));
  expect(await textsAt(current, record)).toEqual({ a: "1", b: "2" });
  await expect(commitFiles(old, { c: "3" })).rejects.toThrow("fenced");
  expect(await textsAt(current, sure(await memoryHistoryStore(memory).head()))).toEqual({ a: "1", b: "2" });
});

test("a large file is kept as it is", async () => {
  const { history } = await fresh();
  const bytes = new Uint8Array(3_000_000).map((_, at) => (at * 2654435761) >>> 13);
  const record = sure(await commitFiles(history, { big: bytes }));
  const oid = await history.fileAt(record, path("big"));
  expect(Buffer.compare(await history.bytes(oid ?? ""), bytes)).toBe(0);
});

test("a damaged object is told as damage, and not as a file that is not there", async () => {
  const memory = historyMemory();
  const history = await openHistory(memoryHistoryStore(memory));
  const record = sure(await commitFiles(history, { a: "1" }));
  const oid = (await history.fileAt(record, path("a"))) ?? "";
  memory.objects.set(oid, new Uint8Array([1, 2, 3]));
  await expect(history.bytes(oid)).rejects.toMatchObject({ kind: "damaged" });
  memory.objects.delete(oid);
  await expect(history.bytes(oid)).rejects.toMatchObject({ kind: "damaged" });
  await expect(history.bytes(record.id)).rejects.toMatchObject({ kind: "damaged" });
});

test.each(["tree", "folder"] as const)("a damaged %s keeps nothing out of reach, and the next commit makes it anew", async (which) => {
  const memory = historyMemory();
  let history = await openHistory(memoryHistoryStore(memory));
  const first = sure(await commitFiles(history, { a: "1", "b/c": "2", "b/d": "3" }));
  await commitFiles(history, { "b/d": null, e: "4" });
  const newest = sure(memory.commits.at(-1) ?? null);
  const damaged = which === "tree" ? newest.tree : await treeAt(memory, newest, "b");
  memory.objects.set(damaged, new Uint8Array([1, 2, 3]));
  history = await openHistory(memoryHistoryStore(memory));
  expect(await textsAt(history, newest)).toEqual({ a: "1", "b/c": "2", e: "4" });
  expect(await textsAt(history, first)).toEqual({ a: "1", "b/c": "2", "b/d": "3" });
  expect(await history.fileAt(newest, path("b/c"))).not.toBeNull();
  expect(await history.fileAt(newest, path("b/d"))).toBeNull();
  const next = sure(await commitFiles(history, { "b/c": "two" }));
  expect(await textsAt(history, next)).toEqual({ a: "1", "b/c": "two", e: "4" });
  const git = await realGit(memoryHistoryStore(memory));
  expect(git("ls-tree", "-r", "--name-only", "HEAD")).toBe("a\nb/c\ne\n");
});

/** The object id of this folder. */
async function treeAt(memory: ReturnType<typeof historyMemory>, record: CommitRecord, folder: string): Promise<string> {
  const git = await realGit(memoryHistoryStore(memory));
  return git("rev-parse", `${record.id}:${folder}`).trim();
}
