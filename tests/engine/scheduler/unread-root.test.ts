import { expect, test } from "vitest";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { createRuns, type RunsDeps } from "../../../src/engine/scheduler/runs.ts";
import { StorageError } from "../../../src/fs/storage-error.ts";
import { path } from "../../fs/notation.ts";

test("a run whose root can't be read is paused, since the root says whether it is, until it can be read", async () => {
  const root = "20261120-100000-root";
  const runs = createRuns({
    files: {
      list: async () => [{ path: path(`vibey/dialog-${root}-done.md`), version: 1, mtime: 0, size: 9 }],
      readMany: async () => Promise.reject(new StorageError("damaged", "it has 1 bytes of 2")),
    },
    bus: { listen: () => () => undefined },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the limits of runs are read.
    docLimits: { last: () => ({ run: { agents: 3, depth: 5, fanout: 3, tokens: 100 } }) } as unknown as RunsDeps["docLimits"],
    getOpenState: () => null,
  });
  await runs.read(root);
  expect(runs.now(root).paused).toBe(true);
  expect(runs.now("20261120-110000-other").paused).toBe(false);
  runs.note(root, { dialog: parseDialog("# Dialog\n> Format: 2\n> Provider: demo | Model: m\n"), status: "done" });
  expect(runs.now(root).paused).toBe(false);
});
