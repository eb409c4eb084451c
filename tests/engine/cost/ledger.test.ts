import { expect, test } from "vitest";
import { createLedger } from "../../../src/engine/cost/ledger.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";
import { path } from "../../fs/notation.ts";
import { damagedFiles } from "../damaged-files.ts";

test("a damaged dialog keeps no other's cost from being told", async () => {
  const files = memoryFiles({ now: () => 0 });
  const names = ["20261122-100000-000", "20261122-110000-000"].map((id) => path(`vibey/dialog-${id}-play-done.md`));
  await files.commit(
    names.map((name) => ({ op: "write", path: name, data: "# Play\n" }) as const),
    { durability: "strict" },
  );
  const ledger = createLedger(damagedFiles(files, names.slice(0, 1)), async () => undefined);
  expect(await ledger.read()).toEqual(
    names.map((name, nth) => ({
      dialogId: name.slice("vibey/dialog-".length, -"-done.md".length),
      responses: [],
      ...(nth === 0 ? { damaged: true } : {}),
    })),
  );
});
