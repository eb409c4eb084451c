import { expect, test } from "vitest";
import type { StopAllAnswer } from "../../../src/protocol/index.ts";
import { stopAll as stopEach } from "../../../src/engine/scheduler/stop-all.ts";
import { memoryStore } from "../../../src/fs/memory.ts";
import { outcome, call } from "../harness.ts";
import { type Crew, crew, launch, nameOf } from "./crew.ts";

async function stopAll(c: Crew): Promise<string> {
  const { stopped } = (await (await c.b.ask("PUT", "/dialogs", { status: "waiting" })).json()) as StopAllAnswer;
  return stopped.map(nameOf).toSorted().join(" ");
}

const statuses = async (c: Crew) => ((await (await c.b.ask("GET", "/dialogs")).json()) as { status: string }[]).map(({ status }) => status);

test("stops who runs and who waits, in whatever they do; nobody begins because another one was stopped", async () => {
  const c = await crew(["agents 1", "> Authorized: run_command"], {
    run: (_command, signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve({ ...outcome(""), aborted: true, exitCode: 130 }))),
  });
  for (const name of ["a", "b", "c", "d"]) await c.begin(name);
  await c.is("a | b c d");
  c.reply("a", call("1", "run_command", { command: "sleep" }));
  await expect.poll(() => c.b.commands).toEqual(["sleep"]);
  expect(await stopAll(c)).toBe("a b c d");
  expect([await c.line(), await statuses(c), c.asked]).toEqual(["|", Array.from({ length: 4 }, () => "waiting"), ["a"]]);
  expect(await stopAll(c)).toBe("");
  c.reply("c", { type: "text", text: "Done." });
  await (await c.put("c", { prompt: "Go on" })).text();
  expect([(await c.dialog("c")).status, c.b.reported]).toEqual(["done", []]);
});

test("what is launched in the same moment is stopped too, at whatever commit it is", async () => {
  for (let n = 1; n <= 14; n += 1) {
    let commits = -1;
    const stops: Promise<string>[] = [];
    const c: Crew = await crew(["> Authorized: launch_agent"], {
      async aroundCommit(commit) {
        const result = await commit();
        if (commits >= 0) commits += 1;
        if (commits === n) stops.push(stopAll(c));
        return result;
      },
    });
    c.reply("a", launch("1", "b"), launch("2", "c"));
    c.reply("b", launch("3", "d"));
    commits = 0;
    await c.begin("a");
    await expect.poll(() => stops.length > 0 || c.asked.length >= 6, { interval: 1 }).toBe(true);
    if (stops.length === 0) {
      expect(n).toBeGreaterThan(4);
      return;
    }
    await Promise.all(stops);
    expect([n, await c.line(), new Set(await statuses(c))]).toEqual([n, "|", new Set(["waiting"])]);
    const { length } = c.asked;
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect([c.asked.length, c.b.reported]).toEqual([length, []]);
  }
});

test.each([
  [{}, "status: expected, but missing"],
  [{ status: "done" }, "status: expected waiting"],
  [{ status: "active" }, "status: expected waiting"],
  [[], "body: expected a JSON object"],
  ["null", "body: expected a JSON object"],
])("PUT /dialogs %j is refused and stops nobody", async (body, error) => {
  const c = await crew([]);
  await c.begin("a");
  await c.is("a |");
  const answer = await c.b.ask("PUT", "/dialogs", body);
  expect([answer.status, await answer.json()]).toEqual([400, { error }]);
  expect(await c.line()).toBe("a |");
});

test("a dialog that can't be read keeps none of the others from being stopped", async () => {
  const store = memoryStore();
  const before = await crew([], { store });
  await before.begin("a");
  const damaged = `vibey/${(await before.dialog("a")).filename}`;
  const c = await crew(["agents 1"], { store, damaged });
  for (const name of ["b", "c"]) await c.begin(name);
  await c.is("b c |");
  expect([await stopAll(c), await c.line()]).toEqual(["b c", "|"]);
  expect(new Set(c.b.reported.map(String))).toEqual(new Set([`StorageError: ${damaged} is damaged`]));
});

test("the queue is held from the first stop to the last; one that can't be stopped is tried once", async () => {
  const happened: string[] = [];
  const found = [["a", "b"], ["a", "b", "c"], ["a"], []].map((ids) =>
    ids.map((dialogId) => ({ dialogId, filename: "", status: "active" as const, mtime: 0 })),
  );
  const stopped = await stopEach({
    list: async () => found.shift() ?? [],
    running: () => [],
    hold() {
      happened.push("hold");
      return () => happened.push("release");
    },
    async stop(id) {
      happened.push(id);
      return id !== "a";
    },
  });
  expect([happened, stopped]).toEqual([
    ["hold", "a", "b", "c", "release"],
    ["b", "c"],
  ]);
});
