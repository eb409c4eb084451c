import { afterEach, expect, test, vi } from "vitest";
import { opfsLocation } from "../../../src/fs/copy/backup-location.ts";

afterEach(() => vi.unstubAllGlobals());

/** A private folder in which opening any file fails with this error. */
function folderThatFails(name: string) {
  const fail = () => Promise.reject(new DOMException("It didn't open.", name));
  const folder = { getFileHandle: () => Promise.resolve({ createSyncAccessHandle: fail }), removeEntry: fail };
  vi.stubGlobal("navigator", { storage: { getDirectory: async () => ({ getDirectoryHandle: async () => folder }) } });
  return opfsLocation("copy");
}

test.each(["NoModificationAllowedError", "InvalidStateError"])("%s: someone has it open", async (name) => {
  const location = await folderThatFails(name);
  expect(await location.open(1)).toBeNull();
  expect(await location.remove(1)).toBeUndefined();
});

test("what a browser says otherwise is an error of the storage, with its own words", async () => {
  const location = await folderThatFails("UnknownError");
  await expect(location.open(1)).rejects.toMatchObject({ kind: "broken", message: "UnknownError: It didn't open." });
});
