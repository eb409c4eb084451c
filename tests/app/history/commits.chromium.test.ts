import { createRoot } from "solid-js";
import { afterEach, expect, test, vi } from "vitest";
import { createCommits } from "../../../src/app/history/commits.ts";
import type { HistoryCommit } from "../../../src/protocol/index.ts";

const stored: readonly HistoryCommit[] = Array.from({ length: 150 }, (_, nth) => ({
  id: `${nth}`,
  time: "2026-11-21T20:11:05.000Z",
  by: { kind: "human" },
  summary: `change ${nth}`,
  filesChanged: 1,
  undone: null,
}));
let dispose = () => {};
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
});

test("a page that can't be read doesn't end the list", async () => {
  let isBroken = true;
  let asked = 0;
  vi.stubGlobal("fetch", async (path: string) => {
    asked++;
    if (isBroken) return Response.json({ error: "It broke." }, { status: 500 });
    const query = new URLSearchParams(path.split("?")[1]);
    const from = stored.findIndex(({ id }) => id === query.get("before")) + 1;
    const to = from + Number(query.get("limit"));
    return Response.json({ commits: stored.slice(from, to), more: to < stored.length });
  });
  const list = createRoot((end) => {
    dispose = end;
    return createCommits(() => ({ path: null, by: null }), { lost: () => false, listeners: new Set() });
  });
  await expect.poll(list.problem).toBe("It broke.");
  isBroken = false;
  await list.again();
  expect([list.problem(), list.commits().length]).toEqual([null, 100]);

  isBroken = true;
  await list.loadOlder();
  expect([list.problem(), list.commits().length]).toEqual(["It broke.", 100]);
  isBroken = false;
  // Scrolling alone sends no request.
  await list.loadOlder();
  expect(asked).toBe(3);
  await list.again();
  expect([list.problem(), list.commits().length, list.more()]).toEqual([null, 150, false]);
});
