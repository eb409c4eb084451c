import { expect, test } from "vitest";
import type { DialogAnswer } from "../../../src/protocol/index.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { memoryFiles, memoryStore } from "../../../src/fs/memory.ts";
import { parsePath } from "../../../src/fs/path.ts";
import { deferred } from "../deferred.ts";
import { type Bench, bench, call, ended, outcome, say } from "../harness.ts";

const script = () => [
  [
    { type: "text", text: "First I look, " },
    { type: "text", text: "then I write." },
    call("a", "run_command", { command: "ls" }),
    call("b", "write_file", { path: "x.txt", content: "x\n" }),
    ended,
  ] as const,
  say("Both done."),
];

/** A command and a file, approved together; then the answer. Stops where the power fails. */
async function scenario(b: Bench): Promise<void> {
  await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" })).text();
  const { id } = await b.dialog();
  await (await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve\nb: approve" })).text();
}

/** The power fails at the n-th commit: the commit is stored or not, and nothing happens after it. */
async function untilPowerGoes(n: number, stored: boolean) {
  const store = memoryStore();
  const commands: string[] = [];
  const done = deferred<"off">();
  let commits = 0;
  const starting = bench(script(), {
    store,
    run: async (command) => {
      commands.push(command);
      return outcome("index.html\n");
    },
    aroundCommit: async (commit) => {
      commits += 1;
      if (commits < n) return commit();
      if (commits === n && stored) await commit();
      done.resolve("off");
      return new Promise(() => undefined);
    },
  });
  const end = await Promise.race([starting.then(scenario).then(() => "passed" as const), done.promise]);
  return { store, commands, passed: end === "passed" };
}

async function goesOn(store: ReturnType<typeof memoryStore>, commands: string[]) {
  const b = await bench([say("I go on.")], {
    store,
    run: async (command) => {
      commands.push(command);
      return outcome("index.html\n");
    },
  });
  const listing = (await (await b.ask("GET", "/dialogs")).json()) as { dialogId: string; filename: string; status: string }[];
  if (listing.length === 0) return null;
  expect(listing).toHaveLength(1);
  const [{ dialogId, filename, status } = { dialogId: "", filename: "", status: "" }] = listing;
  expect(["waiting", "done"]).toContain(status);
  const text = await b.text(`vibey/${filename}`);
  expect(parseDialog(text).format).toBe(1);
  const before = (await (await b.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer;
  const pending = before.messages.flatMap((m) =>
    m.parts.flatMap((p) => (p.kind === "call" && p.call.state === "pending" ? [p.call.id] : [])),
  );
  const answer = await b.ask("PUT", "/dialog", {
    dialogId,
    prompt: "Please continue.",
    decisions: pending.map((id) => `${id}: deny`).join("\n"),
  });
  const frames = await b.frames(answer);
  expect(frames.at(-1)).toMatchObject({ type: "done", result: { status: "done" } });
  expect(b.reported).toEqual([]);
  return { before, after: await b.text(`vibey/${(await b.dialog()).filename}`) };
}

test.each([true, false])(
  "the power goes at the n-th commit, n = 1, 2, 3 … (stored: %s): the file is whole, the next turn works, nothing ran twice",
  async (stored) => {
    let lost = 0;
    for (let n = 1; ; n += 1) {
      const { store, commands, passed } = await untilPowerGoes(n, stored);
      const went = await goesOn(store, commands);
      if (!went) lost += 1;
      expect(commands.filter((command) => command === "ls").length, `commit ${n}`).toBeLessThanOrEqual(1);
      if (went) expect(went.after.match(/^Started: /gm)?.length ?? 0).toBeLessThanOrEqual(2);
      if (passed) {
        expect(n).toBeGreaterThan(6);
        break;
      }
    }
    // Before the dialog's first commit there is nothing to lose: the user has no answer yet.
    expect(lost).toBeLessThanOrEqual(stored ? 1 : 2);
  },
);

test("a command that was claimed and has no result is never run again, and says so", async () => {
  const store = memoryStore();
  const started = deferred<void>();
  const b = await bench(script(), {
    store,
    run: () => {
      started.resolve();
      return new Promise(() => undefined);
    },
  });
  await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" })).text();
  void b.ask("PUT", "/dialog", { dialogId: (await b.dialog()).id, decisions: "a: approve\nb: approve" });
  await started.promise;
  const commands: string[] = [];
  const went = await goesOn(store, commands);
  expect(commands).toEqual([]);
  expect(went?.after).toContain('{"success": false, "error": "interrupted: this may or may not have run"}');
  // A call that was approved but not claimed has not run. It runs when the user continues.
  expect(await (await bench([], { store })).text("x.txt")).toBe("x\n");
});

test("an active dialog that can't be read keeps neither the docs nor the other dialogs from being opened", async () => {
  const store = memoryStore();
  const first = await bench([say("Hello.")], { store });
  await (await first.ask("POST", "/dialog", { provider: "claude", prompt: "Go" })).text();
  const { id } = await first.dialog();
  const name = "dialog-20260101-000000-torn-active.md";
  await inject(store, `vibey/${name}`);
  const b = await bench([], { store, damaged: `vibey/${name}` });
  expect((await b.ask("GET", "/file/doc-main.md")).status).toBe(200);
  expect((await b.ask("GET", `/dialog/${id}`)).status).toBe(200);
  expect((await b.ask("GET", "/dialog/20260101-000000-torn")).status).toBe(500);
  expect(b.reported.map(String)).toEqual(Array.from({ length: 2 }, () => `StorageError: vibey/${name} is damaged`));
});

/** Puts a file into the store before the engine starts. */
async function inject(store: ReturnType<typeof memoryStore>, path: string): Promise<void> {
  const parsed = parsePath(path);
  if (!parsed.ok) throw new Error(parsed.failure.why);
  await memoryFiles({ now: () => 0, store }).commit([{ op: "write", path: parsed.path, data: "# Dialog\n> Format: 1\n" }], {
    durability: "strict",
  });
}
