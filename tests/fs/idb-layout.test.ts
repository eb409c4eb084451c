import { openDB } from "idb";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LayoutStep, layoutSteps, openLayout } from "../../src/fs/idb-layout.ts";
import { openIdbFiles } from "../../src/fs/idb.ts";
import { changes, commit, texts } from "./notation.ts";

/** A later program's layout: it has a store more, and says so in the counters' place. */
const later: readonly LayoutStep[] = [
  ...layoutSteps,
  (made) => {
    const plain: { createObjectStore(store: string): unknown } = made;
    plain.createObjectStore("more");
  },
];

let name: string;
let files: Awaited<ReturnType<typeof openIdbFiles>>;
beforeEach(async () => {
  name = crypto.randomUUID();
  files = await openIdbFiles({ name, now: () => 0 });
  await commit(files, "write a 1; write b 2 h:3");
});
afterEach(() => files.close());

test("a newer program opens the project while an older one has it open: the older one gives way and says why, nothing is lost", async () => {
  let blocked = 0;
  const { db, files: found, fresh } = await openLayout(name, { onGone: () => undefined, onBlocked: () => (blocked += 1), steps: later });
  expect([found.length, fresh, blocked, [...db.objectStoreNames]]).toEqual([2, false, 0, ["meta", "more", "names", "pieces"]]);
  expect(await files.gone).toContain("another tab upgrades");
  expect(await files.commit(changes("write a 9"), { durability: "strict" })).toMatchObject({ ok: false, failure: { kind: "broken" } });
  db.close();
  await expect(openIdbFiles({ name, now: () => 0 })).rejects.toMatchObject({ kind: "newer" });
});

test("an older program that does not give way is waited for, and the newer one is told so", async () => {
  files.close();
  const frozen = await openDB(name);
  let wait: () => void = () => undefined;
  const waits = new Promise<void>((resolve) => {
    wait = resolve;
  });
  const opening = openLayout(name, { onGone: () => undefined, onBlocked: () => wait(), steps: later });
  await waits;
  frozen.close();
  const { db, files: found } = await opening;
  expect(found).toHaveLength(2);
  db.close();
});

test("a step that fails leaves the project as it was, for the older program to open", async () => {
  const broken: readonly LayoutStep[] = [
    ...layoutSteps,
    (made) => {
      made.deleteObjectStore("names");
      throw new DOMException("no room", "QuotaExceededError");
    },
  ];
  await expect(openLayout(name, { onGone: () => undefined, steps: broken })).rejects.toMatchObject({ kind: "full" });
  const again = await openIdbFiles({ name, now: () => 0 });
  expect(await texts(again)).toBe("a=1 b=23");
  again.close();
});
