import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/fs/memory.ts";
import type { CommitResult } from "../../src/fs/files.ts";
import type { Path } from "../../src/fs/path.ts";
import { limits } from "../../src/protocol/limits.ts";
import type { SandboxChange } from "../../src/shell/sandbox.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { memoryFiles } from "../../src/fs/memory.ts";
import { type Bench, bench, type BenchOptions, call, ended, outcome, say } from "./harness.ts";

/** A command that changes many files: everything else waits for at most one slice of them. */

const count = 3_000;
const path = (n: number): Path => `many/f${n}.txt` as Path;
const written = (text: string, base: number | null = null): SandboxChange[] =>
  Array.from({ length: count }, (_, n) => ({ path: path(n), bytes: new TextEncoder().encode(`${text} ${n}\n`), base }));

async function start(changes: readonly SandboxChange[], options: BenchOptions = {}): Promise<{ b: Bench; turn: Promise<string> }> {
  const b = await bench([[call("c1", "run_command", { command: "make many" }), ended], say("Done.")], {
    run: async () => outcome("made", changes),
    ...options,
  });
  const { dialogId } = (await (await b.ask("POST", "/dialog/new", { provider: "claude", slug: "many" })).json()) as { dialogId: string };
  await (await b.ask("PUT", "/dialog", { dialogId, authorizations: ["run_command"] })).text();
  return { b, turn: b.ask("PUT", "/dialog", { dialogId, prompt: "Go" }).then((answer) => answer.text()) };
}

async function resultOf(b: Bench): Promise<Record<string, unknown>> {
  const { markdown } = await b.dialog();
  const calls = parseDialog(markdown).sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  return calls[0]?.result as Record<string, unknown>;
}

/** The number of files in each commit, from the store's events. */
function commitSizes(store: ReturnType<typeof memoryStore>): number[] {
  const sizes: number[] = [];
  store.watchers.watch((events) => {
    const own = events.filter((event) => event.kind !== "renamed" && event.path.startsWith("many/"));
    if (own.length > 0) sizes.push(own.length);
  });
  return sizes;
}

async function stored(store: ReturnType<typeof memoryStore>): Promise<number> {
  return (await memoryFiles({ now: () => 0, store }).list("many/")).length;
}

describe("a command that changes many files", () => {
  test("stores them in slices, each of which holds few, and the last of them with its result", async () => {
    const store = memoryStore();
    const sizes = commitSizes(store);
    const { b, turn } = await start(written("new"), { store });
    await turn;
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limits.sliceFiles);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count);
    expect(await resultOf(b)).toMatchObject({ success: true, stdout: "made" });
    expect(await stored(store)).toBe(count);
    expect(b.reported).toEqual([]);
  });

  test("lets a save that comes meanwhile go between two slices", async () => {
    const store = memoryStore();
    const order: string[] = [];
    store.watchers.watch((events) => {
      for (const event of events) if (event.kind === "changed" && /saved|f0\.|f2999\./.test(event.path)) order.push(event.path);
    });
    let asked: Promise<unknown> | undefined;
    let b: Bench | undefined;
    let commits = 0;
    const made = await start(written("new"), {
      store,
      async aroundCommit(commit) {
        const done = await commit();
        if (order.includes(path(0)) && (commits += 1) === 2) asked = b?.ask("POST", "/file/doc-saved.md", { content: "Saved.\n" });
        // Like a real store, lets other work run between two commits.
        for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
        return done;
      },
    });
    ({ b } = made);
    await made.turn;
    expect(asked).toBeDefined();
    await asked;
    expect(order).toEqual([path(0), "vibey/doc-saved.md", path(2999)]);
  });

  test("reads each file a fixed number of times, however many there are", async () => {
    const reads = async (files: number): Promise<number> => {
      const store = memoryStore();
      let looks = 0;
      const { b, turn } = await start([], {
        store,
        async run(command) {
          const base = command === "make many" ? () => null : (at: Path) => store.names.get(at)?.version ?? null;
          const changes = written(command)
            .slice(0, files)
            .map((change) => ({ ...change, base: base(change.path) }));
          looks = 0;
          return outcome(command, changes);
        },
      });
      await turn;
      const get = store.names.get.bind(store.names);
      store.names.get = (key) => {
        if (key.startsWith("many/")) looks += 1;
        return get(key);
      };
      b.replies = [[call("c2", "run_command", { command: "change many" }), ended], say("Done.")];
      const { id } = await b.dialog();
      await (await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Again" })).text();
      expect(await b.text("many/f1.txt")).toBe("change many 1\n");
      return looks / files;
    };
    const [few, many] = [await reads(600), await reads(count)];
    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThanOrEqual(few);
  });

  test("keeps to one transaction with its result as long as they are few", async () => {
    const store = memoryStore();
    const sizes = commitSizes(store);
    const { b, turn } = await start(written("new").slice(0, limits.wholeCommitFiles), { store });
    await turn;
    expect(sizes).toEqual([limits.wholeCommitFiles]);
    expect(await resultOf(b)).toMatchObject({ success: true });
  });

  test("says how many are stored when there is no more room, and each of them is whole", async () => {
    const store = memoryStore();
    const full: CommitResult = { ok: false, failure: { kind: "full", message: "no room" } };
    let isFull = false;
    store.watchers.watch(() => void (isFull ||= store.names.has(path(999))));
    let once = false;
    const { b, turn } = await start(written("new"), {
      store,
      async aroundCommit(commit) {
        if (!isFull || once) return commit();
        once = true;
        return full;
      },
    });
    await turn;
    expect(await resultOf(b)).toEqual({
      success: false,
      error:
        "the browser's storage is full; 1000 of the 3000 files that the command changed were stored, each whole; the others are as they were before",
    });
    expect(await stored(store)).toBe(1000);
    expect(await b.text("many/f999.txt")).toBe("new 999\n");
  });
});
