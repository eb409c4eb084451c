import { createRoot, createSignal } from "solid-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRunLog } from "../../../src/app/run-graph/run-log.ts";
import type { RunLogRow } from "../../../src/protocol/index.ts";

const row = (nth: number): RunLogRow => ({
  id: `e${nth}`,
  cursor: `c${nth}`,
  dialogId: "20261121-201100-style",
  agentId: "style",
  activationId: "20261121-201100-style/0",
  timestamp: nth,
  type: "complete",
  severity: "info",
  data: {},
});

/** The log, newest first. */
let stored: RunLogRow[] = [];
/** Requests without an answer so far. */
let open: { readonly path: string; readonly answer: (isWell: boolean) => void }[] = [];
let dispose = () => {};

beforeEach(() => {
  open = [];
  vi.stubGlobal("fetch", (path: string) => {
    const query = new URLSearchParams(path.split("?")[1]);
    const [before, since] = [query.get("before"), query.get("since")];
    const from = stored.findIndex(({ cursor }) => cursor === before) + 1;
    const to = since === null ? from + Number(query.get("limit")) : stored.findIndex(({ cursor }) => cursor === since);
    // The answer holds the log as it is at the time of the request.
    const found = { entries: stored.slice(from, to), more: since === null && to < stored.length };
    return new Promise((resolve) => {
      const answer = (isWell: boolean) => resolve(isWell ? Response.json(found) : Response.json({ error: "It broke." }, { status: 500 }));
      open.push({ path, answer });
    });
  });
});
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
});

function create() {
  return createRoot((end) => {
    dispose = end;
    // As a timeline: the same object grows.
    const [grown, grow] = createSignal({ steps: 0 }, { equals: false });
    const log = createRunLog(() => ({ filter: { run: "r" }, before: null }), grown);
    return { ...log, grow: () => void grow((timeline) => ((timeline.steps += 1), timeline)) };
  });
}
async function answerNext(isWell = true): Promise<void> {
  const asked = await vi.waitUntil(() => open.shift());
  asked.answer(isWell);
}

test("entries that come while an older page is read are read behind it", async () => {
  stored = Array.from({ length: 500 }, (_, nth) => row(500 - nth));
  const log = create();
  await answerNext();
  await expect.poll(() => log.entries().length).toBe(100);
  void log.loadOlder();
  stored.unshift(row(501));
  log.grow();
  expect(open.map(({ path }) => path)).toEqual(["agents/log?run=r&before=c401&limit=300"]);
  await answerNext();
  await answerNext();
  await expect.poll(() => log.entries().length).toBe(401);
  expect(log.entries()[0]?.id).toBe("e501");

  // Also while the newest rows are being read.
  stored.unshift(row(502));
  log.grow();
  stored.unshift(row(503));
  log.grow();
  await answerNext();
  await answerNext();
  await expect.poll(() => log.entries()[0]?.id).toBe("e503");
  expect(log.entries().length).toBe(403);
  expect(open).toEqual([]);
});

test("after a page that could not be read the list goes on where it was", async () => {
  stored = Array.from({ length: 150 }, (_, nth) => row(150 - nth));
  const log = create();
  await answerNext(false);
  await expect.poll(log.problem).toBe("It broke.");
  void log.retry();
  await answerNext();
  await expect.poll(() => log.entries().length).toBe(100);
  expect(log.problem()).toBeNull();

  void log.loadOlder();
  await answerNext(false);
  await expect.poll(log.problem).toBe("It broke.");
  // Scrolling alone sends no request.
  void log.loadOlder();
  expect(open).toEqual([]);
  void log.retry();
  await answerNext();
  await expect.poll(() => log.entries().length).toBe(150);
  expect(log.problem()).toBeNull();
});
