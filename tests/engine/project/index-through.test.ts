import { expect, test } from "vitest";
import { historyFacade } from "../../../src/engine/project/history/history-facade.ts";
import { trackFileChanges } from "../../../src/engine/projections/file-changes.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";
import { changes } from "../../fs/notation.ts";
import { newWorld, visit } from "./recovery/world.ts";

const entry = new Uint8Array([1]);

test("what stands between the engine and its files passes the index on", async () => {
  const visited = await visit(newWorld());
  for (const inner of [memoryFiles({ now: () => 0 }), visited.files()]) {
    const { files } = trackFileChanges(historyFacade(inner).files);
    const before = await files.readIndex();
    const stored = await files.commit(changes("write a 1"), { durability: "strict", index: entry });
    const version = stored.ok ? stored.version : null;
    expect(await inner.readIndex()).toEqual({ id: before.id, entries: [{ version, bytes: entry }] });
    expect(await files.restartIndex([entry, entry])).toMatchObject({ ok: true });
    const after = await inner.readIndex();
    expect([after.id === before.id, after.entries.length, await files.readIndex()]).toEqual([false, 2, after]);
  }
  visited.close();
});
