import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { afterEach, expect, test, vi } from "vitest";
import { removeProject } from "../../../../src/engine/project/zip/manage.ts";

afterEach(() => vi.unstubAllGlobals());

test("a project is removed where the browser has no private files at all, as in WebKitGTK", async () => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("IDBKeyRange", IDBKeyRange);
  vi.stubGlobal("navigator", {});
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the function uses of it.
  const locks = { request: (_name: string, _options: object, run: (lock: object) => unknown) => run({}) } as unknown as LockManager;
  expect(await removeProject("a1", locks)).toBe("removed");
});
