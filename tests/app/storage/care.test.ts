import { beforeEach, expect, test } from "vitest";
import { type Actor, agent, human, vibey } from "../../../src/fs/actor.ts";
import { createCare, noteExport, readCare, reminderDue } from "../../../src/app/storage/care.ts";
import { live } from "../../live-event.ts";
import type { LiveEvent } from "../../../src/protocol/index.ts";

const day = 24 * 3_600_000;
const start = Date.UTC(2026, 10, 22);

let kept: Map<string, string>;
let now: number;
let persisted: boolean;
let grants: boolean;
let asked: number;
let said: string[];
let store: Storage;
beforeEach(() => {
  kept = new Map();
  [now, persisted, grants, asked, said] = [start, false, false, 0, []];
  store = {
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
    key: (nth) => [...kept.keys()][nth] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
});

const care = () =>
  createCare({
    store,
    project: "",
    now: () => now,
    persisted: async () => persisted,
    persist: async () => {
      asked += 1;
      persisted = grants;
      return grants;
    },
    isReal: async (dialogId) => !dialogId.endsWith("demo"),
    remind: (message) => said.push(message),
  });

const file = (by: Actor, change: "changed" | "removed" = "changed"): LiveEvent =>
  live({ type: "file", data: { name: "doc-a.md", change } }, { actor: by });
const dialog = (dialogId: string, status: "active" | "waiting"): LiveEvent =>
  live({ type: "dialog", data: { filename: "", status, activity: null, waitingFor: null } }, { dialogId });

test.each<[what: string, events: readonly LiveEvent[], asks: number]>([
  ["a doc that the human saved", [file(human)], 1],
  ["two of them", [file(human), file(human)], 1],
  ["a file of the deed that the human put there", [live({ type: "deed", data: { path: "a", change: "changed" } }, { actor: human })], 1],
  ["the turn of a real agent", [dialog("20261122-a", "active")], 1],
  ["the welcome", [file(vibey)], 0],
  ["what an agent wrote", [file(agent("20261122-a"))], 0],
  ["what the human removed", [file(human, "removed")], 0],
  ["the demo, twice", [dialog("demo", "active"), dialog("demo", "waiting"), dialog("demo", "active")], 0],
  ["a dialog that waits", [dialog("20261122-a", "waiting")], 0],
])("after %s the browser is asked as often as it should be", async (_what, events, asks) => {
  const hear = care();
  for (const event of events) await hear(event);
  expect(asked).toBe(asks);
  expect(readCare(store, "").asked).toEqual(asks === 0 ? null : { at: start, granted: false });
});

test("its answer is kept, and it is not asked again, in this visit or the next", async () => {
  grants = true;
  await care()(file(human));
  expect(readCare(store, "").asked).toEqual({ at: start, granted: true });
  await care()(file(human));
  expect(asked).toBe(1);
});

test("the human is reminded of an export after some work, once a day, and not after an export", async () => {
  const hear = care();
  for (let n = 0; n < 19; n++) await hear(file(human));
  expect(said).toEqual([]);
  for (let n = 0; n < 40; n++) await hear(dialog(`20261122-${n}`, "active"));
  expect(said).toEqual([expect.stringMatching(/never exported it\. 20 changes exist only in this browser/)]);
  now += day;
  await hear(file(human));
  expect(said).toHaveLength(2);
  noteExport(store, "", now);
  now += 2 * day;
  for (let n = 0; n < 19; n++) await hear(file(human));
  expect(said).toHaveLength(2);
  await hear(file(human));
  expect(said.at(-1)).toContain("last exported it 2 days ago");
});

test("a turn counts once, however often its dialog is told of", async () => {
  const hear = care();
  for (const status of ["active", "active", "waiting", "active"] as const) await hear(dialog("20261122-a", status));
  expect(readCare(store, "").work).toBe(2);
});

test("each project has its own", async () => {
  await care()(file(human));
  expect([readCare(store, "").work, readCare(store, "abcdefghijkl").work]).toEqual([1, 0]);
});

test("where the browser keeps the project, nobody is reminded", async () => {
  persisted = true;
  const hear = care();
  for (let n = 0; n < 50; n++) await hear(file(human));
  expect([said, asked]).toEqual([[], 0]);
});

test.each(["", "null", "[]", "{", '{"asked":{"at":"x"},"work":"many"}'])("what stands in the store as %j harms nobody", (text) => {
  kept.set("vibey storage care", text);
  expect(readCare(store, "")).toEqual({ asked: null, work: 0, exportedAt: null, remindedAt: null });
  expect(reminderDue(readCare(store, ""), now)).toBeNull();
});
