import { openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { removeAll, type RemovalStep, type RemovalWorld } from "../../../src/app/storage/remove-all.ts";
import { endRemoval, removalWanted, wantRemoval } from "../../../src/app/storage/removal.ts";

const scope = "https://host.example/vibey/";

/** A browser store: its keys are its own properties. */
function memoryStorage(kept: Readonly<Record<string, string>>): Storage {
  const store = { ...kept };
  for (const [name, value] of Object.entries({
    getItem: (key: string) => store[key] ?? null,
    setItem: (key: string, item: string) => void (store[key] = item),
    removeItem: (key: string) => void delete store[key],
  }))
    Object.defineProperty(store, name, { value, enumerable: false, configurable: true });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the used part is there.
  return store as unknown as Storage;
}

/** The locks of a page, next to locks that other tabs hold. */
function locksOf(elsewhere: () => readonly string[]) {
  const held = new Set<string>();
  const request = async (name: string, given: LockOptions | (() => unknown), then?: (lock: unknown) => unknown) => {
    const [options, work] = typeof given === "function" ? [{}, given] : [given, then];
    while (held.has(name) || elsewhere().includes(name)) {
      if (options.ifAvailable === true) return work?.(null);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    held.add(name);
    try {
      return await work?.({ name });
    } finally {
      held.delete(name);
    }
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the ways in which it is called.
  return {
    held,
    locks: { request, query: async () => ({ held: elsewhere().map((name) => ({ name })) }) } as unknown as RemovalWorld["locks"],
  };
}

interface Options {
  /** The name of a folder that can't be removed. */
  readonly failing?: string;
  /** The number of pauses during which another tab has the first project open. */
  readonly openFor?: number;
  readonly unlisted?: boolean;
  readonly onPause?: () => void;
}

async function browser(options: Options = {}) {
  const local = memoryStorage({
    "vibey projects": JSON.stringify([{ id: "abcdefghijkl", name: "A" }]),
    "vibey draft doc:a": "b",
    "vibey-run-panes": "280 384",
    vibeyard: "its own",
  });
  vi.stubGlobal("localStorage", local);
  vi.stubGlobal("sessionStorage", memoryStorage({}));
  for (const name of [
    "vibey-project",
    "vibey-project-history",
    "vibey-project-abcdefghijkl",
    "vibey-keys",
    "vibey-projects",
    "vibeyard-notes",
  ])
    (await openDB(name, 1)).close();
  const files = new Set(["vibey-project-copy", "vibeyard"]);
  const cached = new Set([`workbox-precache-v2-${scope}`, "workbox-precache-v2-https://host.example/other/"]);
  let pauses = 0;
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
  const { locks, held } = locksOf(() => (pauses < (options.openFor ?? 0) ? ["vibey-project-engine"] : []));
  const world: RemovalWorld = {
    locks,
    databases: async () => (options.unlisted === true ? null : (await indexedDB.databases()).map(({ name = "" }) => name)),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the used part is there.
    files: async () => root as unknown as FileSystemDirectoryHandle,
    caches: { keys: async () => [...cached], delete: async (name) => cached.delete(name) },
    scope,
    worker: async () => ({ unregister: async () => ((registered = false), true) }),
    stores: [local],
    async pause() {
      pauses++;
      options.onPause?.();
      await new Promise((resolve) => setTimeout(resolve, 1));
    },
  };
  const left = async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    files: [...files],
    cached: [...cached],
    registered,
    local: Object.keys(local),
  });
  return { world, left, held };
}

beforeEach(async () => {
  for (const { name = "" } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
});
afterEach(() => vi.unstubAllGlobals());

const nothing = {
  databases: ["vibeyard-notes"],
  files: ["vibeyard"],
  cached: ["workbox-precache-v2-https://host.example/other/"],
  registered: false,
  local: ["vibeyard"],
};

test.each([false, true])(
  "everything of Vibey's goes, and nothing of anybody else's (a browser that lists no databases: %s)",
  async (unlisted) => {
    const { world, left } = await browser({ unlisted });
    wantRemoval();
    const steps: RemovalStep[] = [];
    expect(await removeAll(world, (step) => steps.push(step))).toEqual({ kind: "removed" });
    expect(await left()).toEqual(nothing);
    expect(new Set(steps)).toEqual(new Set(["removes"]));
    expect(removalWanted()).toBe(false);
  },
);

test("it waits until no other tab has a project open, and opens none while it removes", async () => {
  const { world, left, held } = await browser({ openFor: 2 });
  wantRemoval();
  const steps: string[] = [];
  const shut: string[][] = [];
  await removeAll(world, (step) => {
    steps.push(step);
    if (step === "removes") shut.push([...held]);
  });
  expect(steps.slice(0, 3)).toEqual(["waits", "waits", "removes"]);
  expect(shut[0]).toEqual(["vibey-removal", "vibey-project-engine", "vibey-project-abcdefghijkl-engine"]);
  expect(await left()).toEqual(nothing);
});

test("who changes their mind while it waits keeps everything", async () => {
  const { world, left } = await browser({ openFor: 3, onPause: endRemoval });
  const before = await left();
  wantRemoval();
  expect(await removeAll(world, () => {})).toEqual({ kind: "kept" });
  expect(await left()).toEqual(before);
});

test("of two pages one removes; what is made after that stays", async () => {
  const { world } = await browser();
  wantRemoval();
  const first = removeAll(world, () => {});
  const second = removeAll(world, () => {});
  expect(await first).toEqual({ kind: "removed" });
  (await openDB("vibey-project", 1)).close();
  expect(await second).toEqual({ kind: "kept" });
  expect((await world.databases())?.includes("vibey-project")).toBe(true);
});

test("what can't be removed keeps nothing else, and the next start goes on", async () => {
  const { world, left } = await browser({ failing: "vibey-project-copy" });
  wantRemoval();
  expect(await removeAll(world, () => {})).toEqual({
    kind: "failed",
    left: [{ what: "vibey-project-copy", why: "no room to remove it" }],
  });
  expect(removalWanted()).toBe(true);
  expect((await left()).databases).toEqual(["vibeyard-notes"]);
  expect((await left()).local).toContain("vibey projects");
  const again = await browser();
  wantRemoval();
  expect(await removeAll(again.world, () => {})).toEqual({ kind: "removed" });
  expect(await again.left()).toEqual(nothing);
});

test("where the browser's notes are full this tab alone knows of it", async () => {
  await browser();
  Object.defineProperty(localStorage, "setItem", {
    value: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  wantRemoval();
  expect([localStorage.getItem("vibey remove all"), sessionStorage.getItem("vibey remove all")]).toEqual([null, "yes"]);
  expect(removalWanted()).toBe(true);
  endRemoval();
  expect(removalWanted()).toBe(false);
});
