import { expect, test } from "vitest";
import { createEventReader } from "../../../src/engine/log/event-reader.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";
import { vibeyPath } from "../../../src/fs/vibey-name.ts";

const dialogId = "20261121-201100-game";
const position = { version: 1, nth: 0, rebuilt: false, dialogId, generation: 0, key: "0.0.message" };

test("an event is read though its file gets another name at that moment", async () => {
  const files = memoryFiles({ now: () => 0 });
  const [active, waiting] = (["active", "waiting"] as const).map((status) => vibeyPath(`dialog-${dialogId}-${status}.md`));
  if (!active || !waiting) throw new Error("no paths");
  await files.commit([{ op: "write", path: active, data: "# Dialog\n> Format: 1\n\n## User\n\nGo\n" }], { durability: "strict" });
  const reader = createEventReader({
    files: {
      ...files,
      async list(prefix) {
        const found = await files.list(prefix);
        await files.commit([{ op: "rename", from: active, to: waiting }], { durability: "strict" });
        return found;
      },
    },
    live: () => null,
    commits: async () => null,
  });
  expect(await reader.read([position], "log")).toMatchObject([{ type: "message", data: { text: "Go" } }]);
});

test("a file that is listed and never there is looked for a few times only", async () => {
  const files = memoryFiles({ now: () => 0 });
  await files.commit([{ op: "write", path: vibeyPath(`dialog-${dialogId}-done.md`), data: "" }], { durability: "strict" });
  const reader = createEventReader({ files: { ...files, read: async () => null }, live: () => null, commits: async () => null });
  expect(await reader.read([position], "log")).toEqual([]);
});

test("a dialog that many read is parsed once, until its file changes", async () => {
  const files = memoryFiles({ now: () => 0 });
  const file = vibeyPath(`dialog-${dialogId}-done.md`);
  await files.commit([{ op: "write", path: file, data: "# Dialog\n> Format: 1\n\n## User\n\nGo\n" }], { durability: "strict" });
  let reads = 0;
  const reader = createEventReader({
    files: {
      ...files,
      async read(path) {
        reads += 1;
        return files.read(path);
      },
    },
    live: () => null,
    commits: async () => null,
  });
  await reader.read([position], "log");
  await Promise.all(Array.from({ length: 20 }, () => reader.read([position], "log")));
  expect(reads).toBe(1);
  await files.commit([{ op: "append", path: file, data: "\n## User\n\nMore\n" }], { durability: "strict" });
  expect(await reader.read([{ ...position, key: "1.0.message" }], "log")).toMatchObject([{ data: { text: "More" } }]);
  expect(reads).toBe(2);
});
