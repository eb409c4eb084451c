import { openDB } from "idb";
import { beforeEach, expect, test } from "vitest";
import { removeAll, type RemovalStep, type RemovalWorld } from "../../../src/app/storage/remove-all.ts";
import { removalWanted, wantRemoval } from "../../../src/app/storage/removal.ts";

const scope = "https://host.example/vibey/";

/** A store of a browser: its keys are its own properties. */
function memoryStorage(kept: Readonly<Record<string, string>>): Storage {
  const store = { ...kept };
  for (const [name, value] of Object.entries({
    getItem: (key: string) => store[key] ?? null,
    setItem: (key: string, item: string) => void (store[key] = item),
    removeItem: (key: string) => void delete store[key],
  }))
    Object.defineProperty(store, name, { value, enumerable: false });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is used of it is there.
  return store as unknown as Storage;
}

async function browser(options: { readonly failing?: string; readonly openFor?: number } = {}) {
  const local = memoryStorage({ "vibey projects": "[]", "vibey draft doc:a": "b", "another app": "its own" });
  Object.defineProperty(globalThis, "localStorage", { value: local, configurable: true });
  for (const name of ["vibey-project", "vibey-keys", "another-app"]) (await openDB(name, 1)).close();
  const files = new Set(["vibey-project-copy", "another-app"]);
  const cached = new Set([`workbox-precache-v2-${scope}`, "workbox-precache-v2-https://host.example/other/"]);
  let looks = 0;
  let registered = true;
  const root = {
    keys: async function* keys() {
      yield* files;
    },
    async removeEntry(name: string) {
      if (options.failing === name) throw new Error("no room to remove it");
      files.delete(name);
    },
  };
  const world: RemovalWorld = {
    locks: { query: async () => ({ held: looks++ < (options.openFor ?? 0) ? [{ name: "vibey-project-engine" }] : [{ name: "another" }] }) },
    databases: indexedDB,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is used of it is there.
    files: async () => root as unknown as FileSystemDirectoryHandle,
    caches: { keys: async () => [...cached], delete: async (name) => cached.delete(name) },
    worker: async () => ({ scope, unregister: async () => ((registered = false), true) }),
    stores: [local],
    pause: async () => {},
  };
  const left = async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    files: [...files],
    cached: [...cached],
    registered,
    local: Object.keys(local),
  });
  return { world, left };
}

beforeEach(async () => {
  for (const { name = "" } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
});

const nothing = {
  databases: ["another-app"],
  files: ["another-app"],
  cached: ["workbox-precache-v2-https://host.example/other/"],
  registered: false,
  local: ["another app"],
};

test("everything of Vibey's goes, and nothing of anybody else's", async () => {
  const { world, left } = await browser();
  wantRemoval();
  const steps: RemovalStep[] = [];
  await removeAll(world, (step) => steps.push(step));
  expect(await left()).toEqual(nothing);
  expect(steps).toEqual([{ kind: "removes" }]);
  expect(removalWanted()).toBe(false);
});

test("it waits until no other tab has a project open", async () => {
  const { world, left } = await browser({ openFor: 2 });
  wantRemoval();
  const steps: string[] = [];
  await removeAll(world, ({ kind }) => steps.push(kind));
  expect(steps).toEqual(["waits-for-tabs", "waits-for-tabs", "removes"]);
  expect(await left()).toEqual(nothing);
});

test("what can't be removed is told, and the next start goes on", async () => {
  const { world, left } = await browser({ failing: "vibey-project-copy" });
  wantRemoval();
  await expect(removeAll(world, () => {})).rejects.toThrow("no room to remove it");
  expect(removalWanted()).toBe(true);
  expect((await left()).local).toContain("vibey projects");
  const again = await browser();
  wantRemoval();
  await removeAll(again.world, () => {});
  expect(await again.left()).toEqual(nothing);
});
