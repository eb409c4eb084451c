import { expect, test } from "vitest";
import { decodeEntry } from "../../../src/engine/log/entry.ts";
import { rebuild } from "../../../src/engine/log/rebuild.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";
import { vibeyPath } from "../../../src/fs/vibey-name.ts";

const dialogId = "20261121-201100-game";
const [active, waiting] = [vibeyPath(`dialog-${dialogId}-active.md`), vibeyPath(`dialog-${dialogId}-waiting.md`)];

test("a dialog whose file gets another name while the order is built is in it", async () => {
  const files = memoryFiles({ now: () => 0 });
  await files.commit([{ op: "write", path: active, data: "# Dialog\n> Format: 1\n\n## User\n\nGo\n" }], { durability: "strict" });
  const entries = await rebuild(
    {
      ...files,
      async list(prefix) {
        const found = await files.list(prefix);
        await files.commit([{ op: "rename", from: active, to: waiting }], { durability: "strict" });
        return found;
      },
    },
    null,
    () => {},
  );
  expect(entries.flatMap((bytes) => decodeEntry(bytes).news)).toEqual([{ dialogId, generation: 0, keys: ["h.activation", "0.0.message"] }]);
});
