import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromHex, joinBytes } from "../../../src/fs/bytes.ts";
import { formatCommit } from "../../../src/fs/history/commit-object.ts";
import { exportFiles } from "../../../src/fs/history/export-files.ts";
import { openHistory } from "../../../src/fs/history/history.ts";
import { readHistoryFiles, storeHistory } from "../../../src/fs/history/import-files.ts";
import { historyMemory, memoryHistoryStore } from "../../../src/fs/history/memory-store.ts";
import { nameObject } from "../../../src/fs/history/object.ts";
import { type PlainObject, writePack } from "../../../src/fs/history/pack.ts";
import { formatTree } from "../../../src/fs/history/tree.ts";
import { commitFiles, realGit } from "./project.ts";

const most = 100_000_000;

async function exported(memory: ReturnType<typeof historyMemory>): Promise<Map<string, Uint8Array>> {
  const { files } = await exportFiles(memoryHistoryStore(memory), { bare: false });
  return new Map(files.map(({ path, bytes }) => [path, bytes]));
}

async function game() {
  const memory = historyMemory();
  const history = await openHistory(memoryHistoryStore(memory));
  await commitFiles(history, { "vibey/doc-main.md": "# Game\n", "src/a.js": "1", a: "file", "a/b": "and folder" }, "first");
  await commitFiles(history, { "src/a.js": null, "src/b.js": new Uint8Array([0, 255, 13]), "a/b": null }, "second");
  await commitFiles(history, { big: "0123456789".repeat(100_000) }, "third");
  return memory;
}

test("git reads what is exported, and finds no fault in it", async () => {
  const git = await realGit(memoryHistoryStore(await game()));
  expect(git("fsck", "--strict", "--full")).toBe("");
  expect(git("log", "--format=%s").trim()).toBe("third\nsecond\nfirst");
  expect(git("count-objects", "-v")).toMatch(/^count: 0$[^]*^packs: 1$/m);
});

const shape = (memory: ReturnType<typeof historyMemory>) => ({
  objects: [...memory.objects.keys()].toSorted(),
  commits: memory.commits.map((record) => ({ ...record, time: Math.floor(record.time / 1000) * 1000 })),
  changes: memory.changes,
  files: Array.from(memory.files.values(), ({ path, oid }) => `${path} ${oid}`).toSorted(),
});

async function taken(files: ReadonlyMap<string, Uint8Array>) {
  const reading = await readHistoryFiles(files, { most });
  if (!reading.ok) throw new Error(reading.why);
  const memory = historyMemory();
  expect(await storeHistory(memoryHistoryStore(memory), reading.history)).toEqual({ ok: true });
  return memory;
}

test("what is exported and taken over is the same history: objects, commits, changes, files", async () => {
  const memory = await game();
  expect(shape(await taken(await exported(memory)))).toEqual(shape(memory));
});

test("law: the same for any project", async () => {
  const name = fc.constantFrom("a", "a/b", "b/c", "b/d/e", "b.is-a-folder/x", "vibey/doc-main.md", "Ü", "a/b/c");
  const state = fc.dictionary(name, fc.option(fc.string({ maxLength: 6 }), { nil: null }), { minKeys: 1, maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 1, maxLength: 5 }), async (states) => {
      const memory = historyMemory();
      const history = await openHistory(memoryHistoryStore(memory));
      for (const [nth, contents] of states.entries()) await commitFiles(history, contents, `commit ${nth} <x>`);
      const files = await exported(memory);
      expect(files.size).toBe(memory.commits.length === 0 ? 0 : 6);
      if (files.size === 0) return;
      const again = await taken(files);
      expect(shape(again)).toEqual(shape(memory));
      expect(await exported(again)).toEqual(files);
    }),
    { numRuns: 40 },
  );
});

test.each(["a < b", "build >", "<>", "> <", "a<b", " x "])("an author of the name %j is written as it is read", async (name) => {
  const commit = { parent: null, author: { name: `Agent ${name}`, address: `${name}@x` }, time: 0, summary: "s", trailers: [] } as const;
  const tree = "0".repeat(40);
  const lines = new TextDecoder().decode(formatCommit({ ...commit, tree })).split("\n");
  const [, read = "", address = ""] = /^author (.*) <(.*)> 0 /.exec(lines[1] ?? "") ?? [];
  const again = formatCommit({ ...commit, tree, author: { name: read, address } });
  expect(new TextDecoder().decode(again).split("\n")).toEqual(lines);
});

describe("what is not such a history is refused, with the reason", () => {
  const text = (words: string) => new TextEncoder().encode(words);
  const pack = (files: ReadonlyMap<string, Uint8Array>, end: string) => [...files.keys()].find((path) => path.endsWith(end)) ?? "";

  test.each<readonly [what: string, change: (files: Map<string, Uint8Array>) => void, why: string]>([
    ["no branch", (files) => files.delete("refs/heads/main"), "has no newest commit"],
    ["another branch", (files) => files.set("HEAD", text("ref: refs/heads/other\n")), "is on another branch"],
    ["objects beside the pack", (files) => files.set("objects/ab/cdef", text("x")), "was changed by another program"],
    ["no index", (files) => files.delete(pack(files, ".idx")), "was changed by another program"],
    ["an index that is cut", (files) => files.set(pack(files, ".idx"), text("x")), "can't be read: its index is damaged"],
    ["a newest commit that is not there", (files) => files.set("refs/heads/main", text(`${"a".repeat(40)}\n`)), "can't be read: commit"],
  ])("%s", async (_what, change, why) => {
    const files = await exported(await game());
    change(files);
    const reading = await readHistoryFiles(files, { most });
    expect(reading.ok ? "" : reading.why).toContain(why);
  });

  test("any byte of the pack or its index that is changed", async () => {
    const files = await exported(await game());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(".pack", ".idx"), fc.nat(), async (end, seed) => {
        const name = pack(files, end);
        const bytes = files.get(name)?.slice() ?? new Uint8Array();
        const at = seed % (bytes.length - 40);
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        const reading = await readHistoryFiles(new Map(files).set(name, bytes), { most });
        // Damage that only git checks (checksums, a fanout) may be accepted. Everything that is read matches its object id.
        if (reading.ok) expect(reading.history.objects.size).toBeGreaterThan(0);
        else expect(reading.why).toMatch(/damaged|is not what its name says|repacked it|too large|another program|is not in it/);
      }),
      { numRuns: 60 },
    );
  });

  test("more bytes than the limit", async () => {
    expect(await readHistoryFiles(await exported(await game()), { most: 500_000 })).toEqual({
      ok: false,
      why: "can't be read: it is too large",
    });
  });

  /** The files of a repository with these trees; the last one is the newest commit's. */
  async function withTrees(trees: readonly Uint8Array[], blobs: readonly Uint8Array[] = [], by = "Human <human@vibey.invalid>") {
    const objects: PlainObject[] = [];
    const add = async (type: PlainObject["type"], bytes: Uint8Array) => {
      const { oid } = await nameObject(type, bytes);
      objects.push({ oid, type, bytes });
      return oid;
    };
    for (const blob of blobs) await add("blob", blob);
    let tree = "";
    for (const each of trees) tree = await add("tree", each);
    const person = `${by} 1760000000 +0000`;
    const head = await add("commit", text(`tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nx\n`));
    const {
      name,
      pack: bytes,
      index,
    } = await writePack(
      (async function* () {
        yield* objects;
      })(),
    );
    return new Map([
      ["HEAD", text("ref: refs/heads/main\n")],
      ["refs/heads/main", text(`${head}\n`)],
      [`objects/pack/${name}.pack`, bytes],
      [`objects/pack/${name}.idx`, index],
    ]);
  }

  test("an author's name that no version has written; one with the spaces that earlier versions left beside a bracket comes in", async () => {
    const tree = formatTree([["a", { kind: "file", oid: (await nameObject("blob", text("x"))).oid }]]);
    const reads = async (by: string) => {
      const reading = await readHistoryFiles(await withTrees([tree], [text("x")], by), { most });
      return reading.ok ? "" : reading.why;
    };
    for (const by of ["Agent a  b <a  b@x>", "Agent build  <x>", "Agent  <x>"]) expect(await reads(by)).toBe("");
    for (const by of ["Agent\u202e a <x>", "A\ta <x>", "A\u00a0\u00a0a <x>"]) expect(await reads(by)).toContain("another program");
  });

  test("a tree of trees that stands for more files than there are atoms", async () => {
    const blob = await nameObject("blob", text("x"));
    const trees = [formatTree(Array.from({ length: 10 }, (_, at) => [`${at}`, { kind: "file", oid: blob.oid }] as const))];
    for (let level = 0; level < 30; level++) {
      const { oid } = await nameObject("tree", trees.at(-1) ?? new Uint8Array());
      trees.push(formatTree(Array.from({ length: 10 }, (_, at) => [`${at}`, { kind: "folder", oid }] as const)));
    }
    const reading = await readHistoryFiles(await withTrees(trees, [text("x")]), { most });
    expect(reading).toEqual({ ok: false, why: "can't be read: it stands for too many files" });
  });

  test("a folder in which git would see something else: a link, a program, two of one name, another order", async () => {
    const content = await nameObject("blob", text("x"));
    const below = await nameObject("tree", formatTree([[".envrc", { kind: "file", oid: content.oid }]]));
    const entry = (mode: string, name: string, { oid }: { readonly oid: string }) => joinBytes([text(`${mode} ${name}\0`), fromHex(oid)]);
    const plain = formatTree([[".envrc", { kind: "file", oid: content.oid }]]);
    const reads = async (...entries: readonly Uint8Array[]) => {
      const reading = await readHistoryFiles(await withTrees([plain, joinBytes(entries)], [text("x")]), { most });
      return reading.ok ? "" : reading.why;
    };
    expect(await reads(entry("100644", "a", content), entry("40000", "d", below))).toBe("");
    const odd: readonly (readonly Uint8Array[])[] = [
      [entry("120000", "a", content)],
      [entry("100755", "a", content)],
      [entry("160000", "a", content)],
      [entry("040000", "d", below)],
      [entry("40000", "d", below), entry("100644", "d", content)],
      [entry("100644", "b", content), entry("100644", "a", content)],
    ];
    for (const entries of odd) expect(await reads(...entries)).toContain("was made by another program");
  });

  test("a file that no history follows, such as a dialog", async () => {
    const files = await exported(await game());
    expect(await readHistoryFiles(files, { most, isFollowed: (path) => path !== "src/b.js" })).toEqual({
      ok: false,
      why: 'can\'t be read: it holds "src/b.js", which no history of Vibey follows',
    });
  });

  test("a folder that would be many times as much when it is read", async () => {
    const blob = await nameObject("blob", text("x"));
    const entries = Array.from({ length: 17 }, (_, at) => [`${at}${"x".repeat(1_000_000)}`, { kind: "file", oid: blob.oid }] as const);
    const reading = await readHistoryFiles(await withTrees([formatTree(entries)], [text("x")]), { most });
    expect(reading).toEqual({ ok: false, why: "can't be read: it stands for too many files" });
  });

  test.each(["..", "a\\b", ".", ""])("a file of the name %j", async (name) => {
    const blob = await nameObject("blob", text("x"));
    const files = await withTrees([formatTree([[name, { kind: "file", oid: blob.oid }]])], [text("x")]);
    const reading = await readHistoryFiles(files, { most });
    expect(reading.ok ? "" : reading.why).toContain("it holds a file of the name");
  });
});
