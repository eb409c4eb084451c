import { deleteDB, openDB } from "idb";
import { afterEach, expect, test, vi } from "vitest";
import { human } from "../../../../src/fs/actor.ts";
import { type Locks, newProject, projects } from "../../../../src/engine/project/zip/browser.ts";
import { openRegister } from "../../../../src/engine/project/zip/register.ts";
import { path } from "../../../fs/notation.ts";

/** A browser's locks. A test can release the locks of a closed tab. */
function fakeLocks() {
  const held = new Set<string>();
  const request = async (name: string, options: LockOptions | (() => unknown), then?: (lock: unknown) => unknown) => {
    if (typeof options !== "function") return await then?.(held.has(name) ? null : { name });
    held.add(name);
    await options();
    held.delete(name);
    return undefined;
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two ways in which it is called.
  return { locks: { request } as unknown as Locks, held };
}

const write = async ({ files }: Awaited<ReturnType<typeof newProject>>) =>
  expect(await files.commit([{ op: "write", path: path("a"), data: "1" }], { durability: "strict", by: human })).toMatchObject({
    ok: true,
  });

const databases = async () => (await indexedDB.databases()).map(({ name = "" }) => name).toSorted();

afterEach(async () => {
  for (const name of await databases()) await deleteDB(name);
});

test("a project that is whole is known by its name, in every tab from then on", async () => {
  const { locks, held } = fakeLocks();
  const made = await newProject("My game", locks);
  await write(made);
  expect(await projects(locks)).toEqual([]);
  expect(held.size).toBe(1);
  await made.close();
  await expect.poll(() => held.size).toBe(0);
  expect(await projects(locks)).toEqual([{ id: made.id, name: "My game" }]);
});

test("one whose tab was closed while it was made is removed, and one that another tab makes is left alone", async () => {
  const { locks, held } = fakeLocks();
  const broken = await newProject("Broken off", locks);
  await write(broken);
  const going = await newProject("Going on", locks);
  // The browser closes the tab's databases and releases its lock.
  Reflect.apply(Reflect.get(broken.files, "close"), broken.files, []);
  Reflect.apply(Reflect.get(broken.history, "close"), broken.history, []);
  held.delete(`vibey-project-${broken.id}-making`);
  expect(await projects(locks)).toEqual([]);
  expect(await databases()).toEqual(["vibey-projects", `vibey-project-${going.id}`, `vibey-project-${going.id}-history`].toSorted());
  await going.close();
  expect(await projects(locks)).toEqual([{ id: going.id, name: "Going on" }]);
});

test("one that was stopped leaves nothing behind", async () => {
  const { locks, held } = fakeLocks();
  const made = await newProject("Stopped", locks);
  await made.discard();
  await expect.poll(() => held.size).toBe(0);
  expect(await databases()).toEqual(["vibey-projects"]);
  expect(await projects(locks)).toEqual([]);
});

test("a project that no list tells of is found by its database, without its name; nothing else is taken for one", async () => {
  const { locks } = fakeLocks();
  const made = await newProject("Forgotten", locks);
  await made.close();
  const register = await openRegister();
  await register.forget(made.id);
  register.close();
  (await openDB("vibey-project-Somebody-elses")).close();
  expect(await projects(locks)).toEqual([{ id: made.id, name: null }]);
});

test("one that is finished while its lock is asked for is kept", async () => {
  const { locks, held } = fakeLocks();
  const made = await newProject("Just in time", locks);
  await write(made);
  const request = async (name: string, options: LockOptions, then: LockGrantedCallback<unknown>) => {
    await made.close();
    await expect.poll(() => held.size).toBe(0);
    return locks.request(name, options, then);
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the way in which it is called there.
  const late = { request } as unknown as Locks;
  expect(await projects(late)).toEqual([{ id: made.id, name: "Just in time" }]);
  expect(await databases()).toContain(`vibey-project-${made.id}`);
});

test("one that can't be written into the register holds no lock, and leaves nothing", async () => {
  const { locks, held } = fakeLocks();
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("no room", "QuotaExceededError");
  });
  try {
    await expect(newProject("No room", locks)).rejects.toThrow("no room");
  } finally {
    put.mockRestore();
  }
  await expect.poll(() => held.size).toBe(0);
  expect(await databases()).toEqual(["vibey-projects"]);
});
