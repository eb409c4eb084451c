import { expect, test } from "vitest";
import { lookInto } from "../../src/engine/dialogs/facts.ts";
import { listDialogs } from "../../src/engine/dialogs/open.ts";
import { memoryFiles } from "../../src/fs/memory.ts";
import { StorageError } from "../../src/fs/storage-error.ts";
import { path } from "../fs/notation.ts";

const dialog = "# Dialog\n> Format: 1\n> Provider: demo | Model: scripted\n\n## User\n> Time: 2026-01-01T00:00:00.000Z\n\nHello\n";

test("one dialog that is damaged stays unknown, and the others are known", async () => {
  const files = memoryFiles({ now: () => 1 });
  const names = ["dialog-20260101-000000-one-waiting.md", "dialog-20260101-000001-two-waiting.md"];
  const changes = names.map((name) => ({ op: "write", path: path(`vibey/${name}`), data: dialog }) as const);
  await files.commit(changes, { durability: "strict", by: "engine" });
  const damaged = {
    ...files,
    read: async (at: Parameters<typeof files.read>[0]) => {
      if (at.includes("-one-")) throw new StorageError("damaged", "bytes are gone");
      return files.read(at);
    },
  };
  const found = await lookInto(damaged, await listDialogs(files));
  expect([...found.keys()]).toEqual(["20260101-000001-two"]);
  await expect(lookInto({ ...files, read: () => Promise.reject(new TypeError("ours")) }, await listDialogs(files))).rejects.toThrow("ours");
});
