import { deleteDB } from "idb";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Change } from "../../../../src/fs/files.ts";
import { openIdbFiles } from "../../../../src/fs/idb.ts";
import { commit, path } from "../../../fs/notation.ts";
import { dump, live, load, newWorld, raw, visit, type World } from "./world.ts";

/** Ordinary use of a project is no loss and causes no question. */

/** A project with a backup that lacks the last commits. */
async function closedEarly(...last: readonly string[]): Promise<World> {
  const world = newWorld();
  const first = await visit(world);
  await commit(first.files(), "write vibey/doc-a.md mine; write index.html made");
  await first.copy();
  for (const text of last) await commit(first.files(), text);
  first.close();
  return world;
}

const emptying = "remove vibey/doc-main.md; remove vibey/doc-a.md; remove index.html";

async function expectOpen(world: World): Promise<void> {
  const found = await visit(world);
  expect(await found.asked()).toBeNull();
  await found.copy();
  expect([await found.asked(), found.reported]).toEqual([null, []]);
  found.close();
}

test("everything is removed on purpose, and the tab is closed before the copy has followed", async () => {
  const world = await closedEarly(emptying);
  await expectOpen(world);
  await expectOpen(world);
});

test("the same where the note beside the copy is lost, or both notes", async () => {
  for (const lose of [["beside"], ["beside", "settings"]] as const) {
    const world = await closedEarly(emptying);
    for (const each of lose) world[each] = null;
    await expectOpen(world);
  }
});

test("an empty database that went back to before anything was written is a loss, whatever it says of itself", async () => {
  const world = newWorld();
  const first = await visit(world);
  await commit(first.files(), "remove vibey/doc-main.md");
  const empty = await dump(world.name);
  await commit(first.files(), "write vibey/doc-a.md mine");
  await first.copy();
  first.close();
  await load(world.name, empty);
  const found = await visit(world);
  expect(await found.asked()).toMatchObject({ why: "empty", copies: [{ docs: 1 }] });
  found.close();
});

test("a database that was emptied by no commit, or made anew, is a loss", async () => {
  const damages: ((world: World) => Promise<unknown>)[] = [
    ({ name }) => raw(name, (db) => db.clear("names")),
    ({ name }) => deleteDB(name),
    async ({ name }) => {
      await deleteDB(name);
      const other = await openIdbFiles({ name, now: () => 7 });
      await commit(other, "write a 1");
      await commit(other, "remove a");
      other.close();
    },
  ];
  for (const damage of damages) {
    const world = await closedEarly();
    await damage(world);
    const found = await visit(world);
    expect(await found.asked()).toMatchObject({ why: "empty" });
    found.close();
  }
});

/** A program that doesn't know the chain stores the next commit, and passes on what it doesn't know. */
const older = ({ name }: World) =>
  raw(name, async (db) => {
    const { version, ids, ...rest } = await db.get("meta", "counters");
    const record = { size: 0, mtime: 7, version: version + 1, id: ids + 1, next: 0, foldedTo: 0, open: [] };
    await db.put("names", { path: `older-${version}`, ...record });
    await db.put("meta", { ...rest, version: version + 1, ids: ids + 1 }, "counters");
  });

test("a project of 0.8.0 with its copy is opened, and so is one that a tab of 0.8.0 writes in between", async () => {
  const world = newWorld();
  const made = await openIdbFiles({ name: world.name, now: () => 7 });
  await commit(made, "write vibey/doc-main.md mine; write index.html made");
  made.close();
  await raw(world.name, async (db) => {
    const { chain: _chain, ...counters } = await db.get("meta", "counters");
    await db.put("meta", counters, "counters");
    await db.delete("meta", "openings");
  });
  await expectOpen(world);
  // That backup has a mark without an opening, and 0.8.0 leaves only an empty file as a note.
  [world.beside, world.settings] = ["", null];
  await older(world);
  await expectOpen(world);
  for (let n = 0; n < 3; n++) {
    const now = await visit(world);
    await commit(now.files(), `write vibey/doc-a.md ${n}`);
    await now.copy();
    now.close();
    await older(world);
    await older(world);
    if (n === 1) await expectOpen(world);
  }
  await expectOpen(world);
});

test("a tab is killed at any point while the copy is written", async () => {
  const world = await closedEarly("write vibey/doc-a.md second");
  const before = [world.settings, world.beside, new Map(world.place.logs)] as const;
  const now = await visit(world);
  await now.copy();
  await commit(now.files(), "append vibey/doc-a.md third");
  now.close();
  const after = [world.settings, world.beside, new Map(world.place.logs)] as const;
  for (const settings of [before[0], after[0], null])
    for (const beside of [before[1], after[1], after[1]?.slice(0, 5) ?? null, "", null])
      for (const logs of [before[2], after[2]])
        for (const cut of [0, 1, 40]) {
          [world.settings, world.beside] = [settings, beside];
          world.place.logs.clear();
          for (const [generation, bytes] of logs) world.place.logs.set(generation, bytes.slice(0, bytes.length - cut));
          await expectOpen(world);
        }
});

const names = fc.constantFrom("a", "b", "vibey/doc-a.md").map(path);
const data = fc.string({ maxLength: 9, unit: "binary" });
const label = fc.constantFrom("one", "two");
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ op: fc.constant("write" as const), path: names, data }),
  fc.record({ op: fc.constant("append" as const), path: names, data }),
  fc.record({ op: fc.constant("append" as const), path: names, data, open: label }),
  fc.record({ op: fc.constant("patch" as const), path: names, label, data, close: fc.boolean() }),
  fc.record({ op: fc.constant("rename" as const), from: names, to: names }),
  fc.record({ op: fc.constant("remove" as const), path: names }),
  fc.record({ op: fc.constant("fold" as const), path: names }),
);
const act = fc.oneof(
  { weight: 8, arbitrary: change },
  { weight: 3, arbitrary: fc.constantFrom("copy", "close", "lead", "older", "another handle") },
);

test("whatever is stored in whatever order, by whichever tab, closed at any time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
      const world = newWorld();
      let now = await visit(world);
      for (const each of acts) {
        if (typeof each !== "string") await now.files().commit([each], { durability: "relaxed" });
        else if (each === "copy") await now.copy();
        else if (each === "lead") await now.files().lead();
        else if (each === "another handle") {
          const other = await openIdbFiles({ name: world.name, now: () => 9 });
          await commit(other, "write b another");
          other.close();
        } else {
          now.close();
          if (each === "older") await older(world);
          now = await visit(world);
          expect(await now.asked()).toBeNull();
        }
      }
      now.close();
      await expectOpen(world);
      await expectOpen(world);
    }),
    { numRuns: process.env["VIBEY_CHAOS"] === undefined ? 30 : 1_000 },
  );
});

/** More visits than the database remembers, none of them followed by a backup. */
async function manyVisits({ name }: World): Promise<void> {
  for (let n = 0; n < 510; n++) {
    const files = await openIdbFiles({ name, now: () => 7 });
    await commit(files, `write vibey/doc-a.md visit${n}`);
    files.close();
  }
}

test("a copy that could not be written for more visits than the database remembers is no stranger", { timeout: 60_000 }, async () => {
  const world = await closedEarly();
  await manyVisits(world);
  await expectOpen(world);
});

test("a copy of another branch that ended before the visits which the database remembers is kept, and not continued", {
  timeout: 60_000,
}, async () => {
  const world = newWorld();
  await live(world, ["write vibey/doc-a.md base"]);
  const early = await dump(world.name);
  await live(world, ["write vibey/doc-b.md only-in-the-copy"]);
  const log = world.place.logs.get(1)?.slice();
  await load(world.name, early);
  await manyVisits(world);
  await expectOpen(world);
  expect(world.place.logs.get(1)).toEqual(log);
});
