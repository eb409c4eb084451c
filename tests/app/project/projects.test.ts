import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** A browser storage that can be full. */
function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    isFull: false,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      if (this.isFull) throw new DOMException("there is no room", "QuotaExceededError");
      kept.set(key, value);
    },
    removeItem: (key: string) => void kept.delete(key),
  };
}

let local = storage();
let session = storage();
let reload = vi.fn<() => void>();
beforeEach(() => {
  vi.resetModules();
  local = storage();
  session = storage();
  reload = vi.fn<() => void>();
  vi.stubGlobal("localStorage", local);
  vi.stubGlobal("sessionStorage", session);
  vi.stubGlobal("history", { replaceState: () => undefined });
  vi.stubGlobal("location", { pathname: "/", search: "", reload });
});
afterEach(() => vi.unstubAllGlobals());

const load = () => import("../../../src/app/project/projects.ts");
const poem = { id: "abcdefghijkl", name: "A poem" };

test("what is added, renamed and found is in the list, the first project first", async () => {
  const { addFound, addProject, projects, renameProject } = await load();
  addProject(poem);
  renameProject(poem.id, "Two poems");
  expect(addFound([poem, { id: "mnopqrstuvwx", name: null }])).toBe(true);
  expect(projects().map(({ id }) => id)).toEqual(["", poem.id, "mnopqrstuvwx"]);
  expect(projects()[1]?.name).toBe("Two poems");
  expect(addFound([poem])).toBe(false);
});

test("where there is no room for the list it lasts as long as the page, and is written as soon as there is", async () => {
  const { addFound, addProject, openProject, projects } = await load();
  local.isFull = true;
  expect(addFound([poem])).toBe(true);
  expect(projects()).toContainEqual(poem);
  openProject(poem.id);
  expect([session.getItem("vibey project"), reload.mock.calls.length]).toEqual([poem.id, 1]);
  expect(local.kept.size).toBe(0);
  local.isFull = false;
  addProject({ id: "mnopqrstuvwx", name: "Another" });
  expect(JSON.parse(local.getItem("vibey projects") ?? "[]")).toContainEqual(poem);
});
