import * as fc from "fast-check";
import { openDB } from "idb";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CopySource } from "../../src/fs/copy/source.ts";
import { type IdbFiles, openIdbFiles } from "../../src/fs/idb.ts";
import { parseChain, parseOpenings, type Revision } from "../../src/fs/revision.ts";
import { commit, path } from "./notation.ts";

/** The chain of revisions: what a database says about a revision that another store holds. */

let name: string;
const opened: IdbFiles[] = [];
beforeEach(() => {
  name = crypto.randomUUID();
});
afterEach(() => {
  for (const files of opened) files.close();
});

async function open(): Promise<IdbFiles> {
  const files = await openIdbFiles({ name, now: () => 7 });
  opened.push(files);
  return files;
}

const revisionOf = async (files: IdbFiles): Promise<Revision> => (await (await files.source()).look()).revision;

/** Commits and returns the revision. */
async function commits(files: IdbFiles, text: string): Promise<Revision> {
  await commit(files, text);
  return revisionOf(files);
}

async function raw(work: (db: Awaited<ReturnType<typeof openDB>>) => Promise<unknown>): Promise<void> {
  for (const files of opened) files.close();
  const db = await openDB(name);
  await work(db);
  db.close();
}

/** Simulates a commit of a program that doesn't know the chain. */
const oldCommit = () =>
  raw(async (db) => {
    const counters = await db.get("meta", "counters");
    await db.put("meta", { ...counters, version: counters.version + 1, ids: counters.ids + 1 }, "counters");
    const record = { path: "old", size: 0, mtime: 7, version: counters.version + 1, id: counters.ids + 1, next: 0, foldedTo: 0, open: [] };
    await db.put("names", record);
  });

test("every revision that a project ever had is held by it, whoever opened it and how often", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom("commit", "reopen", "lead", "other"), { minLength: 1, maxLength: 12 }), async (steps) => {
      name = crypto.randomUUID();
      let files = await open();
      const had: Revision[] = [];
      for (const [n, step] of steps.entries()) {
        if (step === "commit") had.push(await commits(files, `write f${n % 3} ${n}`));
        if (step === "other") had.push(await commits(await open(), `write g${n % 3} ${n}`));
        if (step === "lead") await files.lead();
        if (step === "reopen") files = await open();
      }
      const last = await open();
      expect(last.damage).toBeNull();
      expect(had.map((each) => last.revisionStatus(each))).toEqual(had.map(() => "held"));
      for (const { opening, version } of had.slice(-1)) expect(last.revisionStatus({ opening, version: version + 1 })).toBe("behind");
      for (const each of opened.splice(0)) each.close();
    }),
    { numRuns: 30 },
  );
});

test("a database that went back is behind; when it has continued since, it is on another branch", async () => {
  const files = await open();
  await commit(files, "write a 1");
  let kept: [unknown, unknown, unknown] = [null, null, null];
  await raw(async (db) => {
    kept = [await db.get("meta", "counters"), await db.get("meta", "openings"), await db.get("names", "a")];
  });
  const lost = [await commits(await open(), "write a 2"), await commits(await open(), "write a 3")];
  await raw(async (db) => {
    await db.put("meta", kept[0], "counters");
    await db.put("meta", kept[1], "openings");
    await db.put("names", kept[2]);
    await db.clear("pieces");
    await db.put("pieces", new Uint8Array([49]), [1, 0]);
  });
  const back = await open();
  expect([back.damage, ...lost.map((each) => back.revisionStatus(each))]).toEqual([null, "other", "other"]);
  // Within one opening this is the same branch, which ends too early.
  expect(back.revisionStatus({ ...(await revisionOf(back)), version: 9 })).toBe("behind");
  for (let n = 0; n < 9; n++) await commit(back, `write b ${n}`);
  const forked = await open();
  expect(lost.map((each) => forked.revisionStatus(each))).toEqual(["other", "other"]);
  const source: CopySource = await back.source();
  await source.settle(lost);
  const settled = await open();
  expect([settled.damage, ...lost.map((each) => settled.revisionStatus(each))]).toEqual([null, "settled", "settled"]);
});

test("a project of a program without a chain opens as it is, and the first write begins the chain", async () => {
  await commit(await open(), "write a 1; write b 2");
  await raw(async (db) => {
    const { version, epoch, ids } = await db.get("meta", "counters");
    await db.put("meta", { version, epoch, ids }, "counters");
    await db.delete("meta", "openings");
  });
  const files = await open();
  expect([files.damage, await revisionOf(files)]).toEqual([null, { opening: null, version: 1 }]);
  expect([1, 2].map((version) => files.revisionStatus({ opening: null, version }))).toEqual(["held", "behind"]);
  const first = await commits(files, "append a 3");
  expect(first).toEqual({ opening: expect.stringMatching(/^[0-9a-f]{16}$/), version: 2 });
  const next = await open();
  expect([next.damage, next.revisionStatus(first), next.revisionStatus({ opening: null, version: 1 })]).toEqual([null, "held", "held"]);
});

test("an older tab that writes without the chain continues it: nothing is taken for lost, and the chain is begun again behind it", async () => {
  const before = await commits(await open(), "write a 1");
  await oldCommit();
  const files = await open();
  expect([files.damage, files.revisionStatus(before), (await revisionOf(files)).opening]).toEqual([null, "held", null]);
  const after = await commits(files, "write b 2");
  const next = await open();
  expect([next.damage, next.revisionStatus(before), next.revisionStatus(after)]).toEqual([null, "held", "held"]);
  // The chain ended before the older tab wrote.
  expect(next.revisionStatus({ ...before, version: before.version + 1 })).toBe("other");
});

test.each<[title: string, damage: (db: Awaited<ReturnType<typeof openDB>>) => Promise<unknown>, told: string]>([
  ["a file's record is gone", (db) => db.delete("names", "a"), "1 files are listed where 2 were stored"],
  ["a file's record has changed", async (db) => db.put("names", { ...(await db.get("names", "a")), size: 2 }), "not as it was stored"],
  [
    "two names have the bytes of one file",
    async (db) => db.put("names", { ...(await db.get("names", "a")), path: "c" }),
    "a and c have the same bytes",
  ],
  ["bytes are there under an id that was not given", (db) => db.put("pieces", new Uint8Array(1), [9, 0]), "newer than the last commit"],
  ["all contents are gone", (db) => db.clear("pieces"), "the contents of the files are lost"],
  ["the openings are gone", (db) => db.delete("meta", "openings"), "the chain of commits is broken"],
  ["the openings are something else", (db) => db.put("meta", 7, "openings"), "can't be read"],
  [
    "the counters have gone back",
    async (db) => db.put("meta", { ...(await db.get("meta", "counters")), version: 1 }, "counters"),
    "is newer than the last commit",
  ],
])("%s: it is told when the database is opened", async (_title, damage, told) => {
  await commit(await open(), "write b 2");
  await commit(await open(), "write a 1");
  await raw(damage);
  expect((await open()).damage).toContain(told);
});

test("a larger count of commits hides no record that is lost, and is no damage by itself", async () => {
  await commit(await open(), "write a 1; write b 2");
  await raw(async (db) => {
    const counters = await db.get("meta", "counters");
    await db.put("meta", { ...counters, version: counters.version + 64 }, "counters");
  });
  const larger = await open();
  expect([larger.damage, await commit(larger, "write c 3")]).toEqual([null, 66]);
  await raw(async (db) => {
    const counters = await db.get("meta", "counters");
    await db.put("meta", { ...counters, version: counters.version + 64 }, "counters");
    await db.delete("names", "a");
  });
  expect((await open()).damage).toBe("2 files are listed where 3 were stored");
});

test.each(["version", "ids"])("no commit stores a counter that could not be read again: %s", async (counter) => {
  await commit(await open(), "write a 1");
  await raw(async (db) => db.put("meta", { ...(await db.get("meta", "counters")), [counter]: 1e14 }, "counters"));
  const files = await open();
  const result = await files.commit([{ op: "write", path: path("a"), data: "2" }], { durability: "strict" });
  expect(result).toMatchObject({ ok: false, failure: { kind: "broken" } });
  expect(new TextDecoder().decode((await files.read(path("a")))?.bytes)).toBe("1");
});

test("whatever stands where a chain should be is one, none, or not readable", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const [chain, openings] = [parseChain(value), parseOpenings(value)];
      if (chain) expect(chain.version).toBeGreaterThanOrEqual(0);
      if (openings) expect(Array.isArray(openings.list)).toBe(true);
    }),
  );
  expect([parseChain({ opening: "a", version: 1, files: 1, sum: [1, -1] }), parseOpenings({ list: [{}], settled: [] })]).toEqual([
    undefined,
    undefined,
  ]);
});
