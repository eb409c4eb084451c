import { expect, test } from "vitest";
import { agentOf } from "../../../src/dialog/agent.ts";
import type { DialogAnswer, GraphAnswer } from "../../../src/protocol/index.ts";
import { StorageError } from "../../../src/fs/storage-error.ts";
import { agentFileOf } from "../../../src/engine/turn/tools/spawn-agent.ts";
import { turnsOf } from "../../../src/engine/prompt/turns.ts";
import { soon } from "../../soon.ts";
import { deferred } from "../deferred.ts";
import type { ProviderEvent } from "../../../src/engine/providers/provider.ts";
import { type Bench, call, ended, outcome, type Reply, say } from "../harness.ts";
import { change, run, spawn, start, states, team, textOf, until, usage } from "./team.ts";

test("a run: the root's header says it, an agent starts another one, which writes and signals, and the root answers", async () => {
  const b = await team({
    orchestrator: [[spawn("a", "researcher"), ended], say("I wait."), say("All done.")],
    researcher: [
      [
        call("w", "vfs_write", { path: "artifacts/facts.md", content: "Facts." }),
        call("s", "signal_parent", { message: "It is\nthere." }),
        ended,
      ],
      say("Finished."),
    ],
  });
  const id = await start(b);
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("All done."));
  await until(b, "completed");
  const root = await textOf(b, "orchestrator");
  expect(root).toMatch(new RegExp(`> Run: ${id}\\n> File: agents/orchestrator.md\\n> Input: [0-9a-f]{16}\\n> Limit: agents 3 a run\\n`));
  expect(root).toContain("> Limit: tokens 500000 a run\n");
  expect(root).toContain("> Authorized: spawn_agent\n");
  expect(root).toContain("Created and activated 'researcher.md' (depth 1/5)");
  expect(root).toMatch(/> From: signal \S+-researcher s \| researcher\n\n?\[Signal from researcher.md\]: It is\n {2}there\.\n/);
  const child = await textOf(b, "researcher");
  expect(child).toContain(`> Run: ${id}\n> File: agents/researcher.md\n`);
  expect(child).toContain("Written to 'artifacts/facts.md' (6 chars)");
  expect(child).toContain("Message sent to parent 'orchestrator.md'. Re-activating.");
  expect(await b.text("agents/researcher.md")).toBe("You are researcher.");
  expect(await b.text("artifacts/facts.md")).toBe("Facts.");
  // The wire carries only the sentence.
  const asked = b.requests.findLast(({ dialog }) => agentOf(dialog)?.slug === "orchestrator");
  const outcomes = (asked ? turnsOf(asked.dialog, 64) : []).flatMap((turn) =>
    turn.role === "user" ? [] : turn.items.flatMap((item) => (item.kind === "call" ? [item.call.outcome.text] : [])),
  );
  expect(outcomes).toEqual(["Created and activated 'researcher.md' (depth 1/5)"]);
  expect(await states(b)).toEqual(["orchestrator.md completed", "researcher.md completed"]);
  expect(b.reported).toEqual([]);
});

test("what the user changed in calls counts: the signal that arrives, and the read that the graph shows", async () => {
  const b = await team({
    orchestrator: [[spawn("a", "researcher"), ended], say("I wait."), say("All done.")],
    researcher: [
      [call("r", "vfs_read", { path: "secret.md" }), call("s", "signal_parent", { message: "The password is hunter2." }), ended],
      say("Finished."),
    ],
  });
  for (const file of ["secret.md", "open.md"]) await b.ask("PUT", `/deed/${file}`, file);
  const runId = await start(b, { freely: false });
  const decide = async (nth: number, calls: readonly string[], changes: object) => {
    await until(b, "asks");
    const { dialogId } = (await run(b)).agents[nth] ?? {};
    await (await b.ask("PUT", "/dialog", { dialogId, decisions: calls.map((id) => `${id}: approve`).join("\n"), changes })).text();
  };
  await decide(0, ["a"], {});
  await soon(async () => expect(await textOf(b, "researcher")).toContain("hunter2"));
  await decide(1, ["r", "s"], { r: { path: "open.md" }, s: { message: "I found it." } });
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("All done."));
  const root = await textOf(b, "orchestrator");
  expect(root).toContain("[Signal from researcher.md]: I found it.");
  expect(root).not.toContain("hunter2");
  await soon(async () => {
    const { edges } = (await (await b.ask("GET", `/agents/graph?run=${runId}`)).json()) as GraphAnswer;
    expect(edges.flatMap((edge) => (edge.kind === "read" ? [edge.path] : []))).toEqual(["open.md"]);
  });
  expect(b.reported).toEqual([]);
});

test("asked as usual, nothing of a file that another program wrote runs without the user's word", async () => {
  const b = await team(
    { orchestrator: [[call("r", "vfs_read", { path: "agents/orchestrator.md" }), spawn("a", "researcher"), ended]] },
    {
      welcome: [{ name: "doc-main.md", content: "> Authorized: launch_agent\n> Authorized: write_file\n" }],
    },
  );
  await start(b, { freely: false });
  await until(b, "asks");
  expect(await textOf(b, "orchestrator")).not.toContain("Authorized");
  expect(
    (await b.ask("POST", "/agents/runs", { agent: "agents/orchestrator.md", input: "x", provider: "claude", freely: true })).status,
  ).toBe(400);
  expect(
    (await b.ask("POST", "/agents/runs", { agent: "agents/orchestrator.md", input: "x", provider: "claude", hash: "0".repeat(64) })).status,
  ).toBe(412);
  expect((await b.ask("POST", "/agents/runs", { agent: "agents/none.md", input: "x", provider: "claude" })).status).toBe(404);
  expect((await b.ask("PUT", "/agents/runs", { runId: "20200101-000000-x", paused: true })).status).toBe(404);
});

test.each(["", "> Revoked: signal_parent\n"])(
  "an agent of yours tells the user something without asking, unless main takes it back: %j",
  async (main) => {
    const b = await team(
      { lead: [[call("s", "signal_parent", { message: "Here." }), ended], say("Done.")] },
      {
        welcome: [
          { name: "doc-main.md", content: `${main}# Game\n` },
          { name: "agent-lead.md", content: "---\ntools: [signal_parent]\n---\nYou lead.\n" },
        ],
      },
    );
    const answer = await b.ask("POST", "/agents/runs", { agent: "vibey/agent-lead.md", input: "Go.", provider: "claude" });
    expect(answer.status).toBe(201);
    await until(b, main === "" ? "completed" : "asks");
  },
);

test("paused between calls, it continues where it was, also after a reload", async () => {
  const gate = deferred<void>();
  const b = await team({
    orchestrator: [
      async function* () {
        yield call("a", "vfs_write", { path: "artifacts/a.md", content: "a" });
        await gate.promise;
        yield call("b", "vfs_write", { path: "artifacts/b.md", content: "b" });
        yield ended;
      },
    ],
  });
  await start(b);
  await until(b, "running");
  const paused = await change(b, { paused: true });
  expect(paused).toMatchObject({ state: "paused", pausedBy: "user" });
  expect(await textOf(b, "orchestrator")).toMatch(/> Paused: run 2026-/);
  gate.resolve();
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md paused"]));
  await expect(b.text("artifacts/a.md")).rejects.toThrow();
  const reloaded = await b.reload();
  expect(await states(reloaded)).toEqual(["orchestrator.md paused"]);
  await reloaded.ask("PUT", "/bridge", { key: "correct-horse-battery" });
  const { runId } = await run(reloaded);
  const session = await reloaded.ask("GET", `/api/sessions/${runId}`, undefined, { "x-psk": "correct-horse-battery" });
  expect(await session.json()).toMatchObject({ status: "idle", detail: "paused" });
  await change(reloaded, { paused: false });
  await until(reloaded, "completed");
  expect(await reloaded.text("artifacts/b.md")).toBe("b");
  expect([...b.reported, ...reloaded.reported]).toEqual([]);
});

/** Calls a command, and reports what the response took. */
const commanded = (id: string): ProviderEvent[] => [
  { type: "usage", usage: { input: 10_000, output: 500 } },
  call(id, "run_command", { command: id }),
  ended,
];

test("an agent that is stopped before its next request has cost what it was asked for, once", async () => {
  const b: Bench = await team(
    { orchestrator: [commanded("a")] },
    {
      run: async () => {
        await change(b, { paused: true });
        return outcome("ran\n");
      },
    },
  );
  const runId = await start(b);
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("\n> Queued: "));
  expect((await b.ask("PUT", "/dialog", { dialogId: runId, status: "waiting" })).status).toBe(200);
  const text = await textOf(b, "orchestrator");
  expect(text.match(/^## Assistant$/gm)).toHaveLength(2);
  expect(text.match(/^> Usage: /gm)).toHaveLength(1);
  expect(text).toContain("total=10500");
  expect(text).not.toContain("total=21000");
});

test("the requests of a turn go on counting when a paused run is continued after a reload", async () => {
  let pauses = true;
  const b: Bench = await team(
    { orchestrator: [commanded("a"), commanded("b"), commanded("c"), commanded("d")] },
    {
      welcome: [{ name: "doc-main.md", content: "> Limit: requests 2\n" }],
      run: async (command) => {
        if (command === "a" && pauses) await change(b, { paused: true });
        pauses = false;
        return outcome("ran\n");
      },
    },
  );
  await start(b);
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("\n> Queued: "));
  const reloaded = await b.reload();
  await change(reloaded, { paused: false });
  await soon(async () => expect(await textOf(reloaded, "orchestrator")).toContain("\n> Stop: limit "));
  expect((await textOf(reloaded, "orchestrator")).match(/^## Assistant$/gm)).toHaveLength(2);
});

test("Kill all stops what runs, pauses the run and keeps its queue, which can be cleared", async () => {
  const never: Reply = async function* (_request, signal) {
    yield { type: "text", text: "Half a " };
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    yield { type: "end", stop: { kind: "aborted" } };
  };
  const b = await team({ orchestrator: [[spawn("a", "one"), spawn("b", "two"), ended], never], one: [never], two: [say("Two.")] });
  await start(b, { limits: { agents: 2 } });
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md running", "one.md running", "two.md queued"]));
  expect(await textOf(b, "orchestrator")).toContain(
    "Created 'two.md' but activation deferred: 2 agents of this run are already running, which is its limit.",
  );
  const killed = await change(b, { status: "aborted" });
  expect(killed).toMatchObject({ state: "paused", running: 0, queued: 1 });
  expect(await states(b)).toEqual(["orchestrator.md aborted", "one.md aborted", "two.md paused"]);
  expect(await textOf(b, "one")).toContain("Half a");
  expect(await textOf(b, "one")).toContain("> Stop: aborted");
  await change(b, { paused: false });
  await soon(async () => expect((await states(b))[2]).toBe("two.md completed"));
  expect(b.reported).toEqual([]);
});

test("Kill all also stops an agent that is paused between two calls, and keeps an agent that waits to answer a message", async () => {
  const gate = deferred<void>();
  const b = await team({
    orchestrator: [[spawn("s", "helper"), ended], say("I wait.")],
    helper: [
      async function* () {
        yield call("a", "vfs_write", { path: "artifacts/a.md", content: "a" });
        await gate.promise;
        yield ended;
      },
    ],
  });
  const runId = await start(b);
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md completed", "helper.md running"]));
  await change(b, { paused: true });
  await b.ask("PUT", "/dialog", { dialogId: runId, prompt: "How is it going?" });
  gate.resolve();
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md paused", "helper.md paused"]));
  await change(b, { status: "aborted" });
  expect(await states(b)).toEqual(["orchestrator.md paused", "helper.md aborted"]);
  await change(b, { paused: false });
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md completed", "helper.md aborted"]));
  await expect(b.text("artifacts/a.md")).rejects.toThrow();
  expect(b.reported).toEqual([]);
});

test("another token limit continues no agent that was interrupted", async () => {
  const never: Reply = async function* () {
    yield { type: "text", text: "Half a " };
    await new Promise<never>(() => {});
  };
  const b = await team({ orchestrator: [never] });
  await start(b);
  await until(b, "running");
  const reloaded = await b.reload();
  await soon(async () => expect(await textOf(reloaded, "orchestrator")).toContain("> Stop: interrupted"));
  await change(reloaded, { limits: { tokens: 400_000 } });
  expect(await textOf(reloaded, "orchestrator")).toMatch(/> Limit: tokens 400000 a run\n$/);
  await change(reloaded, { paused: false });
  await until(reloaded, "completed");
  expect([...b.reported, ...reloaded.reported]).toEqual([]);
});

test("an agent whose file others have changed is started again at the second attempt, when its text was shown", async () => {
  const other = "You are helper, and you answer in verse.";
  const b = await team({
    orchestrator: [
      [spawn("a", "helper"), ended],
      say("I wait."),
      [spawn("b", "helper", "Again.", other), ended],
      [spawn("c", "helper", "Again.", other), ended],
    ],
  });
  const runId = await start(b);
  await until(b, "completed");
  await b.ask("PUT", "/deed/agents/helper.md", "You are helper. Be brief.");
  await (await b.ask("PUT", "/dialog", { dialogId: runId, prompt: "Start it again." })).text();
  await until(b, "completed");
  const text = await textOf(b, "orchestrator");
  expect(text).toContain("agents/helper.md was changed by the user since you last saw it; nothing was written.");
  expect(text).toContain("Be brief.");
  expect(await b.text("agents/helper.md")).toBe(other);
  expect(b.reported).toEqual([]);
});

test.each([
  ["Data Analyst.md", "data-analyst"],
  ["agents/Über-Café.MD", "uber-cafe"],
  [`${"a".repeat(40)}.md`, "a".repeat(40)],
  [`${"a".repeat(41)}.md`, null],
  ["研究員-1.md", null],
  ["исследователь1.md", null],
  ["bot-٣.md", null],
  ["--.md", null],
])("spawn_agent takes the name %s as %s, and none that would lose letters", (filename, slug) => {
  expect(agentFileOf(filename)).toBe(slug);
});

test("a provider that reports no tokens is bounded as well: they are estimated from the text", async () => {
  const b = await team({
    orchestrator: [
      [call("a", "vfs_write", { path: "artifacts/a.md", content: "a".repeat(1_200) }), ended],
      [usage(50), { type: "text", text: "I look at it again." }, call("b", "vfs_list", { prefix: "" }), ended],
      say("Never said."),
    ],
  });
  await start(b, { limits: { tokens: 350 } });
  await until(b, "paused");
  const text = await textOf(b, "orchestrator");
  const [, estimated = ""] = /> Tokens estimated: (\d+)\n> Tokens cumulative: \1\n/.exec(text) ?? [];
  // A quarter of the characters that it read and wrote.
  expect(Number(estimated)).toBeGreaterThan(300);
  expect(Number(estimated)).toBeLessThan(400);
  expect((await run(b)).tokens).toBe(Number(estimated) + 50);
  expect(text).toContain(`> Stop: limit tokens (${Number(estimated) + 50} of 350 used)`);
  expect(text).not.toContain("Never said.");
  expect(b.requests).toHaveLength(2);
  expect(b.reported).toEqual([]);
});

test("at its tokens no request leaves; more of them let it continue from its text, and the agent that waited begins", async () => {
  const b = await team({
    orchestrator: [
      [usage(60), call("a", "vfs_write", { path: "artifacts/a.md", content: "a" }), ended],
      [usage(50), spawn("s", "late"), ended],
      say("I go on."),
    ],
    late: [say("Late.")],
  });
  await start(b, { limits: { tokens: 100 } });
  await until(b, "paused");
  expect((await run(b)).pausedBy).toBe("tokens");
  const text = await textOf(b, "orchestrator");
  expect(text).toContain("Created 'late.md' but activation deferred: token budget reached.");
  expect(text).toContain("> Stop: limit tokens (110 of 100 used)");
  const sent = b.requests.length;
  expect(await states(b)).toEqual(["orchestrator.md paused", "late.md queued"]);
  await change(b, { limits: { tokens: 1000 } });
  await until(b, "completed");
  expect(b.requests.length).toBe(sent + 2);
  expect(await textOf(b, "orchestrator")).toContain("> Limit: tokens 1000 a run");
  expect(b.reported).toEqual([]);
});

test("the first dialog of a run isn't deleted while agents of it wait: no agent of a paused run begins", async () => {
  const never: Reply = async function* (_request, signal) {
    yield { type: "text", text: "Half a " };
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    yield { type: "end", stop: { kind: "aborted" } };
  };
  const b = await team({ orchestrator: [[spawn("a", "one"), spawn("b", "two"), ended], say("Led.")], one: [never] });
  const root = await start(b, { limits: { agents: 1 } });
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md completed", "one.md running", "two.md queued"]));
  await change(b, { status: "aborted" });
  const remove = () => b.ask("DELETE", `/file/dialog-${root}-done.md`);
  const refused = await remove();
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain(
    "Agents of this run are working, waiting for their turn, or asking you. Stop or answer them first. Nothing was deleted.",
  );
  // Looking at the queue again finds the run paused.
  await b.ask("POST", "/file/doc-main.md", { content: "> Limit: agents 5\n" });
  expect(await states(b)).toEqual(["orchestrator.md completed", "one.md aborted", "two.md paused"]);
  await change(b, { status: "cleared" });
  expect((await remove()).status).toBe(200);
  expect(await (await b.ask("GET", "/agents/runs")).json()).toEqual([]);
  expect(await textOf(b, "two")).toContain("> Stop: aborted");
  expect(b.requests.filter(({ dialog }) => agentOf(dialog)?.slug === "two")).toEqual([]);
  expect(b.reported).toEqual([]);
});

test("the first dialog of a run isn't deleted while an agent of it asks: the agent keeps the limits of its run", async () => {
  const b = await team({
    orchestrator: [[spawn("a", "one"), ended], say("Led.")],
    one: [[call("r", "run_command", { command: "make" }), ended]],
  });
  const root = await start(b, { freely: false });
  await until(b, "asks");
  await (await b.ask("PUT", "/dialog", { dialogId: root, decisions: "a: approve" })).text();
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md completed", "one.md asks"]));
  const remove = () => b.ask("DELETE", `/file/dialog-${root}-done.md`);
  expect((await remove()).status).toBe(409);
  const child = (await run(b)).agents[1]?.dialogId;
  await (await b.ask("PUT", "/dialog", { dialogId: child, decisions: "r: deny" })).text();
  expect((await remove()).status).toBe(200);
  expect(b.reported).toEqual([]);
});

test("a dialog that can't be read keeps no agent from running", async () => {
  const damaged = "vibey/dialog-20991231-000000-old-done.md";
  const b = await team(
    { orchestrator: [[spawn("a", "one"), ended], say("Led.")] },
    {
      beforeRead: async (path) => {
        if (path === damaged) throw new StorageError("damaged", `${path} has 1 bytes of 2`);
      },
      welcome: [{ name: damaged.slice("vibey/".length), content: "# Dialog\n" }],
    },
  );
  await start(b);
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md completed", "one.md completed"]));
});

test("a dialog whose header the user edits by hand belongs to the run that it names then, and to no other", async () => {
  const b = await team({ orchestrator: [[spawn("a", "one"), ended], say("Led.")] });
  await start(b);
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md completed", "one.md completed"]));
  const [{ tokens } = { tokens: 0 }, child] = (await run(b)).agents;
  const { filename, markdown } = (await (await b.ask("GET", `/dialog/${child?.dialogId}`)).json()) as DialogAnswer;
  const content = markdown.replace(/> Run: \S+/, "> Run: 20250101-000000-other");
  expect((await b.ask("POST", `/file/${filename}`, { content })).status).toBe(200);
  expect(await states(b)).toEqual(["orchestrator.md completed"]);
  expect((await run(b)).tokens).toBe(tokens);
  expect(b.reported).toEqual([]);
});

test("an agent that was stopped because its file could not be written is not shown as running", async () => {
  const gate = deferred<void>();
  let fails = false;
  const b = await team(
    {
      orchestrator: [
        async function* () {
          yield { type: "text", text: "Half a " };
          await gate.promise;
          yield call("a", "vfs_read", { path: "a.md" });
          yield ended;
        },
      ],
    },
    {
      aroundCommit: async (commit) => {
        if (!fails) return commit();
        fails = false;
        return { ok: false, failure: { kind: "full", message: "no room" } };
      },
    },
  );
  await start(b);
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("Half a"));
  fails = true;
  gate.resolve();
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("> Stop: interrupted"));
  expect(await states(b)).toEqual(["orchestrator.md paused"]);
});
