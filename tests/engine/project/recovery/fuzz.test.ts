import * as fc from "fast-check";
import { expect, test } from "vitest";
import { commit, path } from "../../../fs/notation.ts";
import { copied, type Dump, dump, logsOf, newWorld, type Raw, raw, readable, visit, type World } from "./world.ts";

/** Damages single rows and bytes in the database, the backup and the notes at once. */

interface Before {
  readonly database: Dump;
  readonly logs: ReadonlyMap<number, Uint8Array<ArrayBuffer>>;
  readonly beside: string | null;
  readonly settings: World["settings"];
}

/** `a` and `b` choose what is damaged. */
type Damage<Hit> = (hit: Hit, a: number, b: number, before: Before) => unknown;

const put = (db: Raw, store: string, key: IDBValidKey, value: unknown) => db.put(store, value, store === "names" ? undefined : key);
const at = <Item>(items: readonly Item[], nth: number): Item | undefined => items[nth % items.length];
const rowsOf = ({ database }: Before, store: string) => database.find(([name]) => name === store)?.[1] ?? [];
const stores = ["names", "pieces", "meta"] as const;

async function changePiece(db: Raw, nth: number, change: (bytes: Uint8Array) => Uint8Array): Promise<void> {
  const key = at(await db.getAllKeys("pieces"), nth);
  if (key !== undefined) await db.put("pieces", change(await db.get("pieces", key)), key);
}

const ofDatabase: Readonly<Record<string, Damage<Raw>>> = {
  nothing: () => undefined,
  "a row is of an earlier moment": async (db, a, b, before) => {
    const store = at(stores, a) ?? "names";
    const [key, value] = at(rowsOf(before, store), b) ?? [];
    if (key !== undefined) await put(db, store, key, value);
  },
  "a store is of an earlier moment": async (db, a, _b, before) => {
    const store = at(stores, a) ?? "names";
    await db.clear(store);
    for (const [key, value] of rowsOf(before, store)) await put(db, store, key, value);
  },
  "a row is lost": async (db, a, b) => {
    const store = at(stores, a) ?? "names";
    const key = at(await db.getAllKeys(store), b);
    if (key !== undefined && key !== "format") await db.delete(store, key);
  },
  "two names are swapped": async (db, a, b) => {
    const all = await db.getAll("names");
    const [one, other] = [at(all, a), at(all, b)];
    if (!one) return;
    await db.put("names", { ...other, path: one.path });
    await db.put("names", { ...one, path: other.path });
  },
  "a piece is changed": (db, a, b) => changePiece(db, a, (bytes) => bytes.map((byte, n) => (n === b % bytes.length ? byte ^ 1 : byte))),
  "a piece is cut": (db, a, b) => changePiece(db, a, (bytes) => bytes.slice(0, b % (bytes.length + 1))),
  "there is a piece too many": async (db, a, b) => {
    const record = at(await db.getAll("names"), a);
    if (record) await db.put("pieces", new TextEncoder().encode("extra"), [record.id, record.next + (b % 3)]);
  },
};

const ofCopy: Readonly<Record<string, Damage<World["place"]["logs"]>>> = {
  nothing: () => undefined,
  "it is deleted": (logs) => logs.clear(),
  "it is cut": (logs, a) => void [...logs].map(([nth, log]) => logs.set(nth, log.slice(0, a % (log.length + 1)))),
  "a byte is changed": (logs, a) => void [...logs.values()].map((log) => log.set([(log[a % log.length] ?? 0) ^ 1], a % log.length)),
  "it is of an earlier moment": (logs, _a, _b, before) => {
    logs.clear();
    for (const [nth, log] of before.logs) logs.set(nth, log.slice());
  },
  "a generation was begun": (logs, a) => logs.set(9, (logs.get(1) ?? new Uint8Array()).slice(0, a % 200)),
};

const ofNotes: Readonly<Record<string, Damage<World>>> = {
  nothing: () => undefined,
  "the one beside the copy is torn": (world) => void (world.beside = world.beside?.slice(0, -5) ?? null),
  "both are lost": (world) => void Object.assign(world, { beside: null, settings: null }),
  "both are of an earlier moment": (world, _a, _b, { beside, settings }) => void Object.assign(world, { beside, settings }),
};

const hit = <Hit>(damages: Readonly<Record<string, Damage<Hit>>>) => fc.tuple(fc.constantFrom(...Object.keys(damages)), fc.nat(), fc.nat());

const step = fc.record({
  name: fc.constantFrom("doc-a", "doc-b", "doc-A", "dialog-20261122-120000-talk-waiting", "dialog-20261122-120000-talk-done"),
  way: fc.constantFrom("write", "append", "remove", "rename"),
  copies: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function play(world: World, tag: string, steps: readonly Step[]): Promise<void> {
  for (const [n, { name, way, copies }] of steps.entries()) {
    const now = await visit(world);
    const file = path(`vibey/${name}.md`);
    const isThere = (await now.files().stat(file)) !== null;
    if (way === "remove" && isThere) await commit(now.files(), `remove ${file}`);
    else if (way === "append" && isThere) await commit(now.files(), `append ${file} +${tag}${n}`);
    else if (way === "rename" && isThere) await commit(now.files(), `rename ${file} vibey/doc-${tag}r${n}.md`);
    else await commit(now.files(), `write ${file} ${tag}${n}`);
    if (copies) await now.copy();
    now.close();
  }
}

/** The texts that are no longer in the project. A dialog may have continued since. */
function missing(texts: ReadonlyMap<string, string>, project: ReadonlyMap<string, string>): string[] {
  const isIn = ([name, text]: [string, string]) =>
    [...project].some(([, found]) => found === text || (name.includes("dialog-") && found.startsWith(text)));
  return [...texts].filter((each) => !isIn(each)).map(([name, text]) => `${name}=${text}`);
}

const steps = fc.array(step, { minLength: 1, maxLength: 5 });
const runs = process.env["VIBEY_CHAOS"] === undefined ? 60 : 2_000;

test("nothing is written before the choice, the first choice loses nothing that is readable, and the copy follows it", {
  timeout: 120_000 + 1_000 * runs,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      steps,
      hit(ofDatabase),
      hit(ofDatabase),
      hit(ofCopy),
      hit(ofNotes),
      async (first, second, one, other, copy, notes) => {
        const world = newWorld();
        await play(world, "x", first);
        const logs = new Map([...world.place.logs].map(([nth, log]) => [nth, log.slice()]));
        const before: Before = { database: await dump(world.name), logs, beside: world.beside, settings: world.settings };
        await play(world, "y", second);
        for (const [how, a, b] of [one, other]) await raw(world.name, async (db) => ofDatabase[how]?.(db, a, b, before));
        ofCopy[copy[0]]?.(world.place.logs, copy[1], copy[2], before);
        ofNotes[notes[0]]?.(world, notes[1], notes[2], before);

        const [inDatabase, inCopy, found] = [await readable(world), await copied(world), logsOf(world)];
        const now = await visit(world);
        if ((await now.asked()) === null) await now.copy();
        const answer = await now.asked();
        if (answer === null) {
          now.close();
          expect(missing(inDatabase, await readable(world))).toEqual([]);
          return;
        }
        expect(logsOf(world)).toEqual(found);
        const generation = answer.copies[0]?.generation;
        const isOpened = answer.opened !== null;
        if (generation === undefined) await now.choose({ action: isOpened ? "keep" : "anew" });
        else await now.choose({ action: isOpened ? "both" : "restore", generation });
        now.close();
        const project = await readable(world);
        if (generation !== undefined) expect(missing(inCopy, project)).toEqual([]);
        if (isOpened) expect(missing(inDatabase, project)).toEqual([]);

        const next = await visit(world);
        const damaged = await next.copy();
        expect(await next.asked()).toBeNull();
        next.close();
        const after = await copied(world);
        for (const [name, text] of project) if (!damaged.includes(name)) expect([name, after.get(name)]).toEqual([name, text]);
      },
    ),
    { numRuns: runs },
  );
});
