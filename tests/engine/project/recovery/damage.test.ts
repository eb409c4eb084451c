import { deleteDB } from "idb";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openIdbFiles } from "../../../../src/fs/idb.ts";
import { noteText } from "../../../../src/fs/copy/note.ts";
import type { CopyAnswer } from "../../../../src/protocol/index.ts";
import { commit, path } from "../../../fs/notation.ts";
import {
  choose,
  copied,
  type Dump,
  dump,
  live,
  load,
  logsOf,
  look,
  newWorld,
  type Raw,
  raw,
  readable,
  row,
  visit,
  type World,
} from "./world.ts";

/** A browser's storage is damaged between two visits, in one or two places. */

interface Before {
  /** The database, the backup and the notes at an earlier moment, when they were intact. */
  readonly database: Dump;
  readonly logs: Map<number, Uint8Array<ArrayBuffer>>;
  readonly beside: string | null;
}

type Damage = (world: World, before: Before) => Promise<void>;

/** The file that is damaged, in tests that damage a file. Every project has it. */
const victim = "vibey/doc-a1.md";
const victimId = async ({ name }: World): Promise<number> => raw(name, async (db) => (await db.get("names", victim)).id);

const ofDatabase: Readonly<Record<string, Damage>> = {
  "nothing of the database": async () => undefined,
  "the database is deleted": ({ name }) => deleteDB(name),
  "the database is emptied": async ({ name }) => {
    await deleteDB(name);
    (await openIdbFiles({ name, now: () => 7 })).close();
  },
  "the database is rolled back": ({ name }, { database }) => load(name, database),
  "the database is rolled back, and then continued": async ({ name }, { database }) => {
    await load(name, database);
    const files = await openIdbFiles({ name, now: () => 7 });
    for (let n = 0; n < 9; n++) await commit(files, `write vibey/doc-fork.md fork${n}`);
    files.close();
  },
  "the list of files is emptied": ({ name }) => raw(name, (db) => db.clear("names")),
  "the contents are emptied": ({ name }) => raw(name, (db) => db.clear("pieces")),
  "the index is lost": ({ name }) =>
    raw(name, async (db) => {
      await db.clear("index");
      await db.delete("meta", "index");
    }),
  "the counters are lost": ({ name }) => raw(name, (db) => db.delete("meta", "counters")),
  "the counters are of an earlier moment": ({ name }, { database }) =>
    raw(name, async (db) => {
      const counters = database.find(([store]) => store === "meta")?.[1].find(([key]) => key === "counters")?.[1];
      await db.put("meta", counters, "counters");
    }),
  "the chain is lost": ({ name }) => raw(name, (db) => db.delete("meta", "openings")),
  "one file's record is removed": ({ name }) => raw(name, (db) => db.delete("names", victim)),
  "one piece is removed": async (world) => {
    const id = await victimId(world);
    await raw(world.name, (db) => db.delete("pieces", [id, 0]));
  },
  "one piece is changed": async (world) => {
    const id = await victimId(world);
    await raw(world.name, async (db) => {
      const bytes: Uint8Array = await db.get("pieces", [id, 0]);
      await db.put(
        "pieces",
        bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
        [id, 0],
      );
    });
  },
};

/** Damage that doesn't affect the files: they don't depend on the index. */
const harmless = ["nothing of the database", "the index is lost"];

const ofOthers: Readonly<Record<string, Damage>> = {
  "nothing else": async () => undefined,
  "the copy is deleted": async (world) => {
    world.place.logs.clear();
    world.beside = null;
  },
  "the copy is cut": async ({ place }) => {
    for (const [generation, bytes] of place.logs) place.logs.set(generation, bytes.slice(0, Math.floor(bytes.length / 2)));
  },
  "the copy is garbled": async ({ place }) => {
    for (const bytes of place.logs.values()) bytes.set([1, 2, 3], Math.floor(bytes.length / 2));
  },
  "the copy is older": async (world, { logs, beside }) => {
    world.place.logs.clear();
    for (const [generation, bytes] of logs) world.place.logs.set(generation, bytes);
    world.beside = beside;
  },
  "the note beside the copy is lost": async (world) => void (world.beside = null),
  "the note beside the copy is torn": async (world) => void (world.beside = world.beside?.slice(0, -9) ?? null),
  "the settings are lost": async (world) => void (world.settings = null),
};

type Step = { readonly name: "a" | "b" | "c"; readonly way: "write" | "append" | "remove"; readonly visits: boolean };
const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom("a", "b", "c"),
  way: fc.constantFrom("write", "append", "remove"),
  visits: fc.boolean(),
});

/** A project with a history of changes, all of it in the backup, and its state halfway through. */
async function lived(world: World, first: readonly Step[], second: readonly Step[]): Promise<Before> {
  const play = async (part: string, steps: readonly Step[]) => {
    let at = await visit(world);
    for (const [n, { name, way, visits }] of steps.entries()) {
      const file = path(`vibey/doc-${name}.md`);
      const there = (await at.files().stat(file)) !== null;
      if (way === "write" || !there) await commit(at.files(), `write ${file} ${way}${n}`);
      else await commit(at.files(), way === "append" ? `append ${file} more${n}` : `remove ${file}`);
      if (!visits) continue;
      await at.copy();
      at.close();
      at = await visit(world);
    }
    await commit(at.files(), `write ${victim} ${part}`);
    await commit(at.files(), `write vibey/dialog-20261122-120000-talk-waiting.md ${part}`);
    await at.copy();
    expect(at.reported).toEqual([]);
    at.close();
  };
  await play("first", first);
  const before = {
    database: await dump(world.name),
    logs: new Map([...world.place.logs].map(([n, bytes]) => [n, bytes.slice()])),
    beside: world.beside,
  };
  await play("second", [...second, { name: "b", way: "write", visits: true }]);
  return before;
}

/** The texts that are nowhere in the project. A dialog may have continued since. */
function holds(project: ReadonlyMap<string, string>, texts: ReadonlyMap<string, string>): string[] {
  const all = [...project];
  const isHeld = ([name, text]: [string, string]) =>
    all.some(([other, found]) => found === text || (name.includes("dialog-") && other.includes("dialog-") && found.startsWith(text)));
  return [...texts].filter((entry) => !isHeld(entry)).map(([name, text]) => `${name}=${text}`);
}

/** The first option on a freshly opened screen. */
function defaultOf(answer: { opened: unknown; copies: readonly { generation: number }[] }): object {
  const generation = answer.copies[0]?.generation;
  if (generation === undefined) return { action: answer.opened === null ? "anew" : "keep" };
  return { action: answer.opened === null ? "restore" : "both", generation };
}

const runs = process.env["VIBEY_CHAOS"] === undefined ? 2 : 40;

describe.each(Object.entries(ofDatabase))("%s", (databaseTitle, damageDatabase) => {
  test.each(Object.entries(ofOthers))(
    "and %s: told before anything is overwritten, and the first choice loses nothing",
    { timeout: 120_000 },
    async (_title, damageOther) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 5 }),
          fc.array(step, { maxLength: 5 }),
          fc.constantFrom("default", "keep", "restore"),
          async (first, second, choice) => {
            const world = newWorld();
            const before = await lived(world, first, second);
            const whole = await readable(world);
            await damageDatabase(world, before);
            await damageOther(world, before);
            const [inDatabase, inCopy, logs] = [await readable(world), await copied(world), logsOf(world)];
            const notes = [world.beside, world.settings];

            const found = await visit(world);
            // A change inside a file is noticed when the backup is compared, before the backup is written.
            const lostBytes = (await found.asked()) === null ? await found.copy() : [];
            const answer = await found.asked();
            const isCopied = whole.get(victim) === inCopy.get(victim);
            if (harmless.includes(databaseTitle)) expect(answer).toBeNull();
            // A file that the backup lacks can't be compared: Settings reports lost bytes, and changed bytes go unnoticed.
            else if (databaseTitle === "one piece is removed" && !isCopied) expect(lostBytes).toEqual([victim]);
            else if (databaseTitle !== "one piece is changed" || isCopied) expect(answer).not.toBeNull();
            if (answer === null) return found.close();
            expect([logsOf(world), world.beside, world.settings]).toEqual([logs, ...notes]);
            found.close();
            const again = await visit(world);
            if ((await again.asked()) === null) await again.copy();
            expect(await again.asked()).toEqual(answer);
            expect(logsOf(world)).toEqual(logs);

            const copy = answer.copies[0];
            const body =
              choice === "restore" && copy
                ? { action: "restore", generation: copy.generation }
                : choice === "keep" && answer.opened
                  ? { action: "keep" }
                  : defaultOf(answer);
            await again.choose(body);
            again.close();
            const project = await readable(world);
            if ("action" in body && body.action === "restore") expect(project).toEqual(inCopy);
            if ("action" in body && body.action === "keep") expect(project).toEqual(inDatabase);
            if ("action" in body && body.action === "both") expect([holds(project, inDatabase), holds(project, inCopy)]).toEqual([[], []]);

            // The user has decided, and the backup follows. The backup that was found is still there.
            const next = await visit(world);
            expect(await next.asked()).toBeNull();
            await next.copy();
            expect(await next.asked()).toBeNull();
            next.close();
            expect(await copied(world)).toEqual(project);
            if ("action" in body && body.action === "keep" && copy) expect(world.place.logs.has(copy.generation)).toBe(true);
            const last = await visit(world);
            await last.copy();
            expect(await last.asked()).toBeNull();
            expect([...found.reported, ...again.reported, ...next.reported, ...last.reported]).toEqual([]);
            last.close();
          },
        ),
        { numRuns: runs },
      );
    },
  );
});

const dialog = "vibey/dialog-20261122-120000-talk-waiting.md";

test.each<[title: string, file: string, before: string[], after: string, damage: (db: Raw, id: number, next: number) => Promise<unknown>]>([
  [
    "has lost its last piece",
    dialog,
    [`write ${dialog} first-turn.`, `append ${dialog} second-turn.`],
    `append ${dialog} third.`,
    (db, id, next) => db.delete("pieces", [id, next - 1]),
  ],
  [
    "has a piece too many",
    victim,
    [`write ${victim} good-old-text`],
    `write ${victim} good-new-text`,
    (db, id, next) => db.put("pieces", new TextEncoder().encode("GARBAGE!!!"), [id, next]),
  ],
])("a file that %s before it was copied is named, and the copy keeps what it was", async (_title, file, before, after, damage) => {
  const world = newWorld();
  await live(world, before);
  const kept = (await copied(world)).get(file);
  await live(world, [after], { copies: false });
  await raw(world.name, async (db) => {
    const { id, next } = await db.get("names", file);
    await damage(db, id, next);
  });
  expect([await look(world), (await copied(world)).get(file)]).toEqual([{ asked: false, damaged: [file] }, kept]);
});

describe.each(["both", "keep"] as const)("an old record of a file that has another name, and the choice %s", (action) => {
  test.each([
    ["that was changed since", "append vibey/doc-new.md +more", "precious+more", null],
    ["that was not", "write vibey/doc-b.md b", "precious", "precious"],
  ])("of a file %s: no two names have the same bytes", async (_title, change, text, oldText) => {
    const world = newWorld();
    await live(world, ["write vibey/doc-old.md precious"]);
    const before = await dump(world.name);
    await live(world, ["rename vibey/doc-old.md vibey/doc-new.md", change]);
    await raw(world.name, (db) => db.put("names", row(before, "names", "vibey/doc-old.md")));
    await choose(world, action);
    expect((await readable(world)).get("vibey/doc-old.md") ?? null).toBe(oldText);
    await live(world, oldText === null ? [] : ["remove vibey/doc-old.md"]);
    expect((await readable(world)).get("vibey/doc-new.md")).toBe(text);
  });
});

test("counters of an earlier moment and a lost record: no id of bytes that are still there is given again", async () => {
  const world = newWorld();
  await live(world, ["write vibey/doc-a.md old"]);
  const before = await dump(world.name);
  await live(
    world,
    [1, 2, 3, 4].flatMap((n) => [`write vibey/doc-n${n}.md first${n}`, `append vibey/doc-n${n}.md second${n}`]),
  );
  const whole = await readable(world);
  await raw(world.name, async (db) => {
    await db.delete("names", "vibey/doc-n4.md");
    await db.put("meta", row(before, "meta", "counters"), "counters");
  });
  await choose(world, "both");
  expect(await readable(world)).toEqual(whole);
});

describe.each(["restore", "both"] as const)("a copy that is damaged after it was looked at, and the choice %s", (action) => {
  test.each<[how: string, damage: (logs: Map<number, Uint8Array<ArrayBuffer>>, log: Uint8Array<ArrayBuffer>) => unknown]>([
    ["deleted", (logs) => logs.delete(1)],
    ["cut", (logs, log) => logs.set(1, log.slice(0, 200))],
    ["changed", (_logs, log) => (log[Buffer.from(log).lastIndexOf("new-new-new")] = 0)],
  ])("%s: the database stays as it is, and the next answer tells of the copy as it is now", async (_how, damage) => {
    const world = newWorld();
    await live(world, ["write vibey/doc-a.md old"]);
    const before = await dump(world.name);
    await live(world, ["write vibey/doc-a.md new-new-new"]);
    await load(world.name, before);
    const inDatabase = await readable(world);
    const at = await visit(world);
    const found = await at.asked();
    damage(world.place.logs, world.place.logs.get(1) ?? new Uint8Array());
    await expect(at.choose({ action, generation: 1 })).rejects.toThrow("not as it was found");
    expect((await at.asked())?.copies).not.toEqual(found?.copies);
    at.close();
    expect(await readable(world)).toEqual(inDatabase);
  });
});

/** Replaces the bytes of a file's first piece. */
const overwrite = ({ name }: World, file: string, text: string) =>
  raw(name, async (db) => db.put("pieces", new TextEncoder().encode(text), [(await db.get("names", file)).id, 0]));

test.each<[title: string, damage: (world: World) => unknown]>([
  ["a generation that was begun lies beside it", ({ place: { logs } }) => logs.set(9, (logs.get(1) ?? new Uint8Array()).slice(0, 150))],
  ["the database does not know its copy anymore", ({ name }) => raw(name, (db) => db.delete("meta", "copy"))],
])("a file that was changed by itself is told where %s", async (_title, damage) => {
  const world = newWorld();
  await live(world, ["write vibey/doc-a.md precious"]);
  await damage(world);
  await overwrite(world, "vibey/doc-a.md", "ruinous!");
  expect(await look(world)).toMatchObject({ asked: true });
});

const eight = [0, 1, 2, 3, 4, 5, 6, 7];

/** A project from which a large part was removed, so its backup has two generations. The newer one is damaged before its first mark. */
async function withDamagedGeneration(): Promise<World> {
  const world = newWorld();
  await live(
    world,
    eight.map((n) => `write vibey/doc-${n}.md precious${n}`),
  );
  await live(
    world,
    eight.slice(1).map((n) => `remove vibey/doc-${n}.md`),
  );
  const { logs } = world.place;
  expect([...logs.keys()]).toEqual([1, 2]);
  const newest = logs.get(2) ?? new Uint8Array();
  newest[Buffer.from(newest).indexOf("welcome")] = 0;
  return world;
}

test("the newest generation is damaged: the database is compared with the one before it", async () => {
  const world = await withDamagedGeneration();
  await overwrite(world, "vibey/doc-0.md", "ruinous00");
  expect(await look(world)).toMatchObject({ asked: true });
  expect(world.place.logs.has(1)).toBe(true);
});

test("the newest generation is damaged: the one before it, which is whole, stays when another one is begun", async () => {
  const world = await withDamagedGeneration();
  expect(await look(world)).toEqual({ asked: false, damaged: [] });
  expect([...world.place.logs.keys()]).toEqual([1, 3]);
});

/** The database is rolled back; one note is rolled back and the other torn. Only the backup has what came after. */
async function rolledBack(): Promise<World> {
  const world = newWorld();
  await live(world, ["write vibey/doc-a.md old"]);
  const [before, { settings }] = [await dump(world.name), world];
  await live(world, ["write vibey/doc-a.md new-new-new", "write vibey/doc-b.md only-here"]);
  await load(world.name, before);
  Object.assign(world, { settings, beside: "" });
  return world;
}

/** Simulates a crash before the last mark is written. */
function cutLastMark({ place: { logs } }: World): void {
  const log = logs.get(1) ?? new Uint8Array();
  logs.set(1, log.slice(0, Buffer.from(log).lastIndexOf("vbc1")));
}

test.each(["both", "keep"] as const)(
  "files behind the last mark that are newer than the database are told once, and %s",
  async (action) => {
    const world = await rolledBack();
    cutLastMark(world);
    await choose(world, action);
    world.beside = "";
    expect(await look(world)).toEqual({ asked: false, damaged: [] });
  },
);

test("the same where the note beside the copy is older than it: it is told when the copy is opened", async () => {
  const world = await rolledBack();
  cutLastMark(world);
  world.beside = noteText({ revision: world.settings?.revision ?? null, at: 7, docs: 2, dialogs: 0, files: 0, bytes: 9 });
  expect(await look(world)).toMatchObject({ asked: true });
});

test("a copy that another worker has open is waited for where no note vouches for the database", async () => {
  const world = await rolledBack();
  world.place.held.add(1);
  const at = await visit(world);
  await at.copy();
  expect([...world.place.logs.keys()]).toEqual([1]);
  at.close();
  expect(await look(world)).toMatchObject({ asked: true });
});

test("files are copied in one visit and marked in none: the next visit takes them for no loss", async () => {
  const world = newWorld();
  await live(world, ["write vibey/doc-a.md first"]);
  await live(world, ["write vibey/doc-a.md second"]);
  cutLastMark(world);
  world.beside = "";
  expect(await look(world)).toEqual({ asked: false, damaged: [] });
});

test("Settings offer the copy of what the user has not kept, and no copy whose files are all there", async () => {
  for (const [action, offered] of [
    ["keep", 1],
    ["restore", 0],
  ] as const) {
    const world = newWorld();
    await live(world, ["write vibey/doc-a.md precious"]);
    await overwrite(world, "vibey/doc-a.md", "ruinous!");
    const at = await visit(world);
    await at.copy();
    await at.choose({ action, generation: (await at.asked())?.copies[0]?.generation });
    await at.copy();
    const { earlier } = (await (await at.ask("GET", "/copy")).json()) as CopyAnswer;
    at.close();
    expect(earlier).toHaveLength(offered);
  }
});

test.each([
  ["version", 2 ** 53 - 1],
  ["ids", 2 ** 53 - 1],
  ["version", -1],
])(
  "a count of the %s of %d is told before anything is written: it would be given twice, or could not be read again",
  async (key, count) => {
    const world = newWorld();
    await live(world, ["write vibey/doc-a.md precious"]);
    const [logs, texts] = [logsOf(world), await readable(world)];
    await raw(world.name, async (db) => db.put("meta", { ...(await db.get("meta", "counters")), [key]: count }, "counters"));
    expect(await look(world)).toMatchObject({ asked: true });
    expect(logsOf(world)).toEqual(logs);
    await choose(world, "restore");
    expect(await readable(world)).toEqual(texts);
  },
);

test.each([2 ** 53 - 1, Number.NaN, -1, 0.5])(
  "a copy whose number in the database is %d is begun anew as one that can be found",
  async (generation) => {
    const world = newWorld();
    await live(world, ["write vibey/doc-a.md precious"]);
    await raw(world.name, async (db) => db.put("meta", { ...(await db.get("meta", "copy")), generation }, "copy"));
    await live(world, ["write vibey/doc-b.md more"]);
    expect([...world.place.logs.keys()]).toEqual([1, 2]);
    expect(await copied(world)).toEqual(await readable(world));
  },
);

test("a removed record is told, and kept in the copy, whatever the count of commits is", async () => {
  const world = newWorld();
  await live(world, ["write vibey/doc-a.md precious"]);
  await raw(world.name, async (db) => {
    const counters = await db.get("meta", "counters");
    await db.put("meta", { ...counters, version: counters.version + 64 }, "counters");
    await db.delete("names", "vibey/doc-a.md");
  });
  expect(await look(world)).toMatchObject({ asked: true });
  expect((await copied(world)).get("vibey/doc-a.md")).toBe("precious");
});
