import { expect, test } from "vitest";
import { soon } from "../../../soon.ts";
import { openHistory } from "../../../../src/fs/history/history.ts";
import { historyMemory, memoryHistoryStore } from "../../../../src/fs/history/memory-store.ts";
import type { HistoryStore, WriteResult } from "../../../../src/fs/history/store.ts";
import { memoryStore } from "../../../../src/fs/memory.ts";
import { StorageError } from "../../../../src/fs/storage-error.ts";
import { textsAt } from "../../../fs/history/project.ts";
import { deferred } from "../../deferred.ts";
import { call, ended, say } from "../../harness.ts";
import { project, type Project } from "./project.ts";

const welcome = [{ name: "doc-main.md", content: "> Authorized: write_file\n\n# A game\n" }];

/** The history's notices to the user while `work` runs. */
async function noticesOf(p: Project, work: () => Promise<void>): Promise<string[]> {
  const events = await p.ask("GET", "/events");
  await work();
  const notices: string[] = [];
  const reader = events.body?.getReader();
  await p.put("end-of-notices", "x");
  for (let text = ""; !text.includes("end-of-notices"); ) {
    const { value } = (await reader?.read()) ?? {};
    text = new TextDecoder().decode(value);
    notices.push(...Array.from(text.matchAll(/"kind":"history","message":"([^"]*)"/g), ([, message]) => message ?? ""));
  }
  await reader?.cancel();
  return notices;
}

/** A store whose writes fail while `broken` is set. */
function failing() {
  const state: { broken: WriteResult | null; writes: number } = { broken: null, writes: 0 };
  const around = (store: HistoryStore): HistoryStore => ({
    ...store,
    write: async (batch, epoch) => {
      state.writes += 1;
      return state.broken ?? store.write(batch, epoch);
    },
  });
  return { state, around };
}

test.each([
  ["full", { kind: "full", message: "no space" }, "History is paused: the browser's storage is full."],
  ["broken", { kind: "broken", message: "the disk is gone" }, "History is paused: the disk is gone."],
] as const)(
  "while the history's storage is %s everything else works, the human is told once, and it goes on later",
  async (_, failure, said) => {
    const { state, around } = failing();
    const p = await project([[call("a", "write_file", { path: "x", content: "1\n" }), ended], say("Done.")], { welcome, around });
    await p.history();
    const notices = await noticesOf(p, async () => {
      state.broken = { ok: false, failure };
      await p.put("a", "1");
      expect(await p.lines()).toEqual(["vibey: docs: added main.md"]);
      expect((await p.frames(await p.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }))).at(-1)).toMatchObject({ type: "done" });
      await p.put("a", "2");
      expect(await p.lines()).toEqual(["vibey: docs: added main.md"]);
      const { commits } = await p.history();
      const answer = await p.ask("POST", "/history/restore", { id: commits[0]?.id });
      expect(answer.status).toBe(503);
      expect(await p.texts()).toMatchObject({ a: "2", x: "1\n" });
    });
    expect(notices).toEqual([expect.stringContaining(said)]);
    state.broken = null;
    await p.pass(60_000);
    expect((await p.lines()).toReversed()).toEqual([
      "vibey: docs: added main.md",
      "human: added a",
      "agent: added x",
      "human: edited a",
      "human: added end-of-notices",
    ]);
    expect(p.reported).toEqual([]);
  },
);

test("a history that can't be opened is said, and everything else works", async () => {
  let foreign = true;
  const memory = historyMemory();
  const p = await project([], {
    history: async () => {
      if (foreign) throw new StorageError("foreign", "another program's");
      return memoryHistoryStore(memory);
    },
  });
  const notices = await noticesOf(p, async () => {
    for (let n = 0; n < 2; n++) {
      const answer = await p.ask("GET", "/history");
      expect([answer.status, await answer.json()]).toEqual([503, { error: "Couldn't open the history: another program's" }]);
    }
    await p.put("a", "1");
  });
  expect(notices).toEqual(["History isn't available right now: another program's"]);
  expect(await p.texts()).toMatchObject({ a: "1" });
  foreign = false;
  expect((await p.lines()).toReversed()).toEqual(["vibey: docs: added main.md", "human: added a", "human: added end-of-notices"]);
});

/** The power fails at the n-th write to the history: the write is done or not, and nothing happens after it. */
async function untilPowerGoes(n: number, stored: boolean) {
  const memory = historyMemory();
  const store = memoryStore();
  const off = deferred<"off">();
  let writes = 0;
  const around = (inner: HistoryStore): HistoryStore => ({
    ...inner,
    write: async (batch, epoch) => {
      writes += 1;
      if (writes < n) return inner.write(batch, epoch);
      if (writes === n && stored) await inner.write(batch, epoch);
      off.resolve("off");
      return new Promise(() => undefined);
    },
  });
  const p = await project([[call("a", "write_file", { path: "src/x", content: "agent\n" }), ended], say("Done.")], {
    welcome,
    store,
    memory,
    around,
  });
  const scenario = async () => {
    await p.put("src/a", "1\n");
    await p.history();
    await (await p.ask("POST", "/dialog", { provider: "claude", prompt: "Go" })).text();
    await p.put("src/a", "2\n");
    await p.put("b", "3\n");
    const { commits } = await p.history();
    await p.turnBack("restore", commits.at(-1)?.id ?? "");
    return "passed" as const;
  };
  const end = await Promise.race([scenario(), off.promise]);
  return { memory, store, passed: end === "passed" };
}

test.each([true, false])(
  "the power goes at the n-th write, n = 1, 2, 3 … (done: %s): the history is whole, and the next engine brings it up to date",
  async (stored) => {
    for (let n = 1; ; n += 1) {
      const { memory, store, passed } = await untilPowerGoes(n, stored);
      const p = await project([], { store, memory });
      const { commits } = await p.history();
      expect(p.reported).toEqual([]);
      expect(memory.notes).toEqual([]);
      const history = await openHistory(memoryHistoryStore(memory));
      for (const { id } of commits) {
        const found = await history.get(id);
        if (found) await textsAt(history, found.record);
      }
      const head = memory.commits.at(-1);
      expect(head && (await textsAt(history, head))).toEqual(await p.texts());
      // Only the author can be lost, with the note that names the author.
      const by = stored ? ["agent"] : ["agent", "vibey"];
      for (const commit of commits) if (commit.summary === "added src/x") expect(by).toContain(commit.by.kind);
      if (passed) {
        expect(n).toBeGreaterThan(8);
        break;
      }
    }
  },
);

test("a damaged file keeps the others out of no commit", async () => {
  const p = await project([], { welcome, damaged: "bad" });
  await p.put("bad", "x").catch(() => undefined);
  await p.put("good", "y");
  await soon(async () => expect(await p.lines()).toContain("human: added good"));
  expect(p.reported.map(String)).toContain("StorageError: bad is damaged");
});

test("who changed a damaged file is still known when it can be read again, however many engines could not", async () => {
  const damaged = { damaged: "bad" };
  let p = await project([], { welcome, ...damaged });
  await p.put("bad", "x");
  await p.put("good", "y");
  await soon(async () => expect(await p.lines()).toContain("human: added good"));
  for (let n = 0; n < 2; n++) {
    p = await p.again([], damaged);
    expect(await p.lines()).not.toContain("human: added bad");
  }
  p = await p.again([], { damaged: "" });
  expect(await p.lines("?limit=1")).toEqual(["human: added bad"]);
  expect(p.memory.notes).toEqual([]);
});

test("a file that can't be read for a moment pauses the history, and is in its commit", async () => {
  let isAway = true;
  const beforeRead = async (path: string) => {
    if (isAway && path === "a") throw new StorageError("broken", "the disk is away");
  };
  const p = await project([], { welcome, beforeRead });
  const notices = await noticesOf(p, async () => {
    await p.put("a", "1");
    expect(await p.lines()).toEqual(["vibey: docs: added main.md"]);
  });
  expect(notices).toEqual([expect.stringContaining("History is paused: the disk is away.")]);
  isAway = false;
  await p.pass(60_000);
  expect(await p.lines()).toContain("human: added a");
});

test("a file that no commit can be made with is left out after some tries, and named; the others are committed", async () => {
  const beforeRead = async (path: string) => {
    if (path === "huge") throw new RangeError("Array buffer allocation failed");
  };
  const p = await project([], { welcome, beforeRead });
  const notices = await noticesOf(p, async () => {
    await p.put("huge", "1");
    await p.put("a", "1");
    for (let n = 0; n < 2; n++) {
      await p.lines();
      expect(await p.lines()).not.toContain("human: added a");
      await p.pass(60_000);
    }
    expect(await p.lines()).toContain("human: added a");
  });
  expect(notices).toEqual([
    expect.stringContaining("History is paused: huge: Array buffer allocation failed."),
    "The history leaves out huge: Array buffer allocation failed. The file itself is saved.",
  ]);
});

test("a mistake of ours in a commit pauses the history, is told, and is tried again", async () => {
  let fails = true;
  const around = (store: HistoryStore): HistoryStore => ({
    ...store,
    write: async (batch, epoch) => {
      if (fails && batch.commit) throw new TypeError("x is no function");
      return store.write(batch, epoch);
    },
  });
  const p = await project([], { welcome, around });
  const notices = await noticesOf(p, async () => {
    await p.put("a", "1");
    expect(await p.lines()).toEqual([]);
  });
  expect(notices).toEqual([expect.stringContaining("History is paused: x is no function.")]);
  fails = false;
  await p.pass(60_000);
  expect(await p.lines()).toContain("human: added a");
});

test("what several changed in one file before a crash is not the last one's alone", async () => {
  let fails = false;
  const around = (store: HistoryStore): HistoryStore => ({
    ...store,
    write: async (batch, epoch) =>
      fails && batch.commit ? { ok: false, failure: { kind: "full", message: "" } } : store.write(batch, epoch),
  });
  const p = await project([[call("a", "write_file", { path: "x", content: "agent\n" }), ended], say("Done.")], { welcome, around });
  await p.history();
  fails = true;
  await (await p.ask("POST", "/dialog", { provider: "claude", prompt: "Go" })).text();
  await p.put("x", "human\n");
  await p.put("y", "human\n");
  fails = false;
  const next = await p.again();
  expect((await next.lines()).toReversed()).toEqual(["vibey: docs: added main.md", "agent: added x", "human: added y"]);
  expect((await next.history()).commits[1]?.by).toEqual({ kind: "agent", dialogId: "" });
});
