import { expect, test } from "vitest";
import type { DialogListing } from "../../../src/protocol/index.ts";
import { path } from "../../fs/notation.ts";
import { call, outcome } from "../harness.ts";
import { crew, docMain, launch } from "./crew.ts";

const said = (text: string) => ({ type: "text", text }) as const;

test("over the limit: stored, active, shown as waiting, nobody asked; then it begins, at the time at which it begins", async () => {
  const c = await crew(["agents 2"]);
  for (const name of ["a", "b", "c", "d"]) await c.begin(name);
  await c.is("a b | c d");
  const reason = "2 agents are already running, which is the limit (doc-main.md: > Limit: agents 2).";
  const waiting = await c.dialog("d");
  expect(waiting).toMatchObject({ status: "active", activity: { kind: "queued", ahead: 1, reason } });
  expect(waiting.messages.map(({ role, end }) => [role, end])).toEqual([
    ["user", null],
    ["assistant", null],
  ]);
  expect(waiting.markdown).toContain("\n## User\n");
  await expect.poll(() => c.asked).toEqual(["a", "b"]);
  c.reply("b", said("Done."));
  await c.is("a c | d");
  await expect.poll(() => c.dialog("d")).toMatchObject({ activity: { kind: "queued", ahead: 0, reason } });
  await expect.poll(() => c.asked).toEqual(["a", "b", "c"]);
  const { messages, markdown } = await c.dialog("c");
  const begun = messages[1]?.start ?? "";
  expect(begun > (waiting.messages[1]?.start ?? "")).toBe(true);
  expect(markdown).toContain(`\n## Assistant\n> Time: ${begun} - \n`);
  for (const name of ["a", "c", "d"]) c.reply(name, said("Done."));
  await c.is("|");
  const done = await c.dialog("c");
  expect(done.messages[1]).toMatchObject({ start: begun, parts: [{ kind: "text", text: "Done." }] });
  expect((await c.dialog("c")).markdown).toBe(await c.b.text(`vibey/${done.filename}`));
  expect([c.b.reported, c.notices, c.places]).toEqual([[], [reason], ["c 0", "d 1", "d 0"]]);
});

test("a turn keeps its slot while its commands run, and gives it back while it waits for the human", async () => {
  let go: () => void = () => undefined;
  const c = await crew(["agents 1"], {
    run: () =>
      new Promise((resolve) => {
        go = () => resolve(outcome("x"));
      }),
  });
  c.reply("a", call("1", "run_command", { command: "ls" }));
  await c.begin("a");
  await c.is("|");
  await c.begin("b");
  await c.is("b |");
  await c.put("a", { decisions: "1: approve" });
  await c.is("b | a");
  expect(c.b.commands).toEqual([]);
  c.reply("b", said("Done."));
  await expect.poll(() => c.b.commands).toEqual(["ls"]);
  await c.begin("c");
  await c.is("a | c");
  go();
  c.reply("a", said("Done."));
  await c.is("c |");
});

test("the human's word goes before what agents launch, and the first before the second", async () => {
  const c = await crew(["agents 1", "> Authorized: launch_agent"]);
  c.reply("lead", launch("1", "hand-1"), launch("2", "hand-2"));
  await c.begin("lead");
  await c.is("lead | hand-1 hand-2");
  await c.begin("mine");
  await c.begin("other");
  await c.is("lead | mine other hand-1 hand-2");
  for (const name of ["lead", "mine", "other", "hand-1", "hand-2"]) c.reply(name, said("Done."));
  await c.is("|");
  expect(c.asked).toEqual(["lead", "lead", "mine", "other", "hand-1", "hand-2"]);
});

test.each(["waiting", "done"])("stopped while it waits, as %s: out of the queue at once, its provider is never asked", async (status) => {
  const c = await crew(["agents 1"]);
  for (const name of ["a", "b", "c"]) await c.begin(name);
  await c.is("a | b c");
  expect((await c.put("b", { status })).status).toBe(200);
  expect(await c.line()).toBe("a | c");
  expect(await c.dialog("b")).toMatchObject({ status, activity: null });
  await expect.poll(() => c.dialog("c")).toMatchObject({ activity: { kind: "queued", ahead: 0 } });
  c.reply("a", said("Done."));
  await c.is("c |");
  expect(c.asked).toEqual(["a", "c"]);
  c.reply("b", said("Later."));
  await c.put("c", { status: "waiting" });
  await (await c.put("b", { prompt: "Go on" })).text();
  expect(await c.dialog("b")).toMatchObject({ status: "done" });
});

test("a call that was approved and waits for a slot does not run once it is stopped", async () => {
  const c = await crew(["agents 1"]);
  c.reply("a", call("1", "run_command", { command: "ls" }));
  await c.begin("a");
  await c.is("|");
  await c.begin("b");
  await c.put("a", { decisions: "1: approve" });
  await c.is("b | a");
  await c.put("a", { status: "waiting" });
  await c.put("b", { status: "waiting" });
  expect([await c.line(), c.b.commands]).toEqual(["|", []]);
  expect((await c.dialog("a")).markdown).toContain("stopped by the user before it ran");
});

test("a change of doc-main.md wakes the queue; agents 0 lets none begin", async () => {
  const c = await crew(["agents 0"]);
  for (const name of ["a", "b", "c"]) await c.begin(name);
  await c.is("| a b c");
  expect(await c.dialog("a")).toMatchObject({ activity: { reason: "Agents are set not to run (doc-main.md: > Limit: agents 0)." } });
  await c.b.ask("POST", "/file/doc-main.md", { content: docMain(["agents 2"]) });
  await c.is("a b | c");
  await c.b.ask("POST", "/file/doc-main.md", { content: docMain(["agents 1"]) });
  c.reply("a", said("Done."));
  await c.is("b | c");
  await c.b.ask("DELETE", "/file/doc-main.md");
  await c.is("b c |");
});

test("a dialog that failed, was interrupted or was put to rest otherwise gives its slot back", async () => {
  const c = await crew(["agents 1"]);
  c.reply("a", said("So far"), { type: "end", stop: { kind: "error", reason: "server", message: "no" } });
  c.reply("b", { type: "end", stop: { kind: "interrupted", message: "cut" } });
  for (const name of ["a", "b", "c"]) await c.begin(name);
  await c.is("c |");
  expect(c.asked).toEqual(["a", "b", "c"]);
});

test.each([
  ["waits for its slot", "b | a", []],
  ["runs", "a | b", ["ls"]],
])(
  "its file turns out to be another while it %s: it leaves the line, and nothing says that it still does something",
  async (_what, line, ran) => {
    let other = false;
    const c = await crew(["agents 1"], {
      run: (_command, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve({ ...outcome(""), aborted: true, exitCode: 130 }))),
      async aroundCommit(commit) {
        if (!other) return commit();
        other = false;
        return { ok: false, failure: { kind: "conflict", path: path("a"), expected: 1, found: 2 } };
      },
    });
    c.reply("a", call("1", "run_command", { command: "ls" }));
    await c.begin("a");
    await c.is("|");
    if (line === "b | a") await c.begin("b");
    await c.put("a", { decisions: "1: approve" });
    if (line === "a | b") await expect.poll(() => c.b.commands).toEqual(["ls"]);
    if (line === "a | b") await c.begin("b");
    await c.is(line);
    other = true;
    expect((await c.put("a", { authorizations: ["run_command"] })).status).toBe(409);
    expect(c.notices).toContain("Couldn't save the dialog (conflict). The agent was stopped. Everything saved so far is kept.");
    await c.is("b |");
    c.reply("b", said("Done."));
    await c.is("|");
    const listing = (await (await c.b.ask("GET", "/dialogs")).json()) as DialogListing[];
    expect([listing.map(({ activity }) => activity), c.b.commands, c.b.reported]).toEqual([[null, null], ran, []]);
    expect((await c.dialog("a")).activity).toBeNull();
  },
);

test("a mistake of Vibey's in an agent, and another one in stopping it: its slot is free, and nothing says that it still works", async () => {
  let broken = false;
  let seconds = 0;
  const c = await crew(["agents 1"], {
    now() {
      if (broken) throw new Error("no clock");
      return new Date(Date.UTC(2026, 10, 21, 20, 11, (seconds += 1)));
    },
  });
  await c.begin("a");
  await c.is("a |");
  broken = true;
  c.reply("a", said("Done."));
  await expect.poll(() => c.b.reported.length).toBe(2);
  broken = false;
  expect([await c.line(), (await c.dialog("a")).activity]).toEqual(["|", null]);
  expect((await c.put("a", { status: "waiting" })).status).toBe(200);
  c.reply("a", said("Done."));
  await (await c.put("a", { prompt: "Go on" })).text();
  expect((await c.dialog("a")).status).toBe("done");
});

test("the limit of requests is the one of doc-main.md; with none allowed nothing is asked", async () => {
  const c = await crew(["requests 2", "> Authorized: run_command"]);
  for (const id of ["1", "2", "3"]) c.reply("a", call(id, "run_command", { command: "ls" }));
  await c.begin("a");
  await expect.poll(async () => (await c.dialog("a")).markdown).toContain("> Stop: limit requests in one turn");
  expect(c.asked).toEqual(["a", "a"]);
  await c.b.ask("POST", "/file/doc-main.md", { content: docMain(["requests 0"]) });
  await c.put("a", { prompt: "Go on" });
  expect((await c.dialog("a")).status).toBe("waiting");
  await c.begin("b");
  expect(await c.dialog("b")).toMatchObject({ status: "waiting", messages: [{ role: "user", stop: "limit requests in one turn" }] });
  expect(c.asked).toEqual(["a", "a"]);
});
