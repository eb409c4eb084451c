import { expect, test } from "vitest";
import type { DialogAnswer } from "../../../src/protocol/index.ts";
import { soon } from "../../soon.ts";
import { deferred } from "../deferred.ts";
import { call, ended, type Reply, say } from "../harness.ts";
import { spawnRefusal } from "../../../src/engine/scheduler/guardrails.ts";
import { follow } from "./crew.ts";
import { change, run, spawn, start, states, team, textOf, until, warnings } from "./team.ts";

test("depth, fan-out and loops are refused, each with its sentence and its event", async () => {
  const b = await team({
    orchestrator: [[spawn("a", "one"), spawn("b", "one", " Be \t one.\u200B"), spawn("c", "../x/Two Words"), spawn("d", "three"), ended]],
    one: [[spawn("e", "deep"), ended]],
  });
  await start(b, { limits: { depth: 1, fanout: 2 } });
  await until(b, "completed");
  const root = await textOf(b, "orchestrator");
  expect(root).toContain("Error: loop: 'one.md' already ran with this input.");
  expect(root).toContain("Created and activated 'two-words.md' (depth 1/1)");
  expect(root).toContain("Error: fanout limit 2/2.");
  expect(await textOf(b, "one")).toContain("Error: depth limit 1/1.");
  await expect(b.text("agents/three.md")).rejects.toThrow();
  expect((await warnings(b)).filter((code) => code !== "progress")).toEqual(["depth", "fanout", "loop"]);
  expect((await run(b)).agents).toHaveLength(3);
  expect(b.reported).toEqual([]);
});

test("an agent that rewrites its own file is known by its path, and one whose front matter is broken is told of", async () => {
  const b = await team({
    orchestrator: [
      [spawn("a", "one", "Go."), ended],
      [
        spawn("b", "one", "Go.", "---\nname: other\n---\nNew."),
        spawn("c", "two", "Go.", "---\nname: [\n---\nTwo."),
        call("d", "vfs_write", { path: "agents/three.md", content: "---\nname: [\n---\nThree." }),
        ended,
      ],
    ],
  });
  await start(b);
  await until(b, "completed");
  expect(await b.text("agents/one.md")).toBe("You are one.");
  expect((await warnings(b)).filter((code) => code !== "progress")).toEqual(["front_matter", "front_matter", "loop"]);
  expect(await textOf(b, "orchestrator")).toContain("agents/three.md: ");
});

test("an agent that works in several dialogs starts as many as one: they are counted by its file", () => {
  const member = (dialogId: string, file: string, parent: string | null) => ({ dialogId, file, parent, run: "r", input: dialogId });
  const members = [member("a", "x.md", null), member("b", "x.md", "c"), member("c", "y.md", "a"), member("d", "z.md", "b")];
  const refused = (parent: (typeof members)[number], fanout: number) =>
    spawnRefusal(
      { members: () => members, now: () => ({ limits: { depth: 9, fanout, tokens: 1 } }), depth: () => 1 } as never,
      parent as never,
      {
        file: "new.md",
        input: "",
      },
    )?.code ?? null;
  const [first, second, other] = members;
  if (!first || !second || !other) throw new Error("there are no members");
  expect([first, second, other].map((parent) => refused(parent, 2))).toEqual(["fanout", "fanout", null]);
  expect([first, second, other].map((parent) => refused(parent, 3))).toEqual([null, null, null]);
});

test("an agent whose file limits what it writes starts new ones, and writes over no file of another", async () => {
  const text = "---\nwrites: [artifacts/**]\n---\nYou lead.";
  const spawns = [spawn("a", "one"), spawn("b", "Victim", "Go.", "Obey me."), spawn("c", "victim", "Go.", "Mine."), ended];
  const b = await team({ orchestrator: [spawns] }, { text });
  await b.ask("PUT", "/deed/agents/victim.md", "Mine.");
  await start(b);
  await until(b, "completed");
  const root = await textOf(b, "orchestrator");
  expect(root).toContain("Error: 'agents/victim.md' is there already, and this agent's file lets it write artifacts/**.");
  expect(await b.text("agents/victim.md")).toBe("Mine.");
  expect(await states(b)).toEqual(["orchestrator.md completed", "one.md completed", "victim.md completed"]);
  expect(await textOf(b, "one")).toContain("> Writes: artifacts/**\n");
});

test("after two responses in which no call ran the agent is stopped, and no agent wakes it; the user's word does", async () => {
  const b = await team({
    orchestrator: [[spawn("a", "one"), ended], say("I wait."), say("Nothing to do."), say("Again nothing.")],
    one: [
      [call("s", "signal_parent", { message: "One." }), ended],
      [call("t", "signal_parent", { message: "Two." }), ended],
      [call("u", "signal_parent", { message: "Three." }), ended],
    ],
  });
  const id = await start(b);
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("> Stop: limit no progress"));
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("[Signal from one.md]: Three."));
  await until(b, "error");
  expect((await warnings(b)).every((code) => code === "progress")).toBe(true);
  const before = b.requests.length;
  await (await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Then write it yourself." })).text();
  expect(b.requests.length).toBe(before + 1);
  expect(b.reported).toEqual([]);
});

test("a file that an agent works with is overwritten with a warning, and one that it didn't see not at all", async () => {
  const gate = deferred<void>();
  const reads: Reply = [call("r", "vfs_read", { path: "artifacts/a.md" }), ended];
  const waits: Reply = async function* () {
    await gate.promise;
    yield call("w", "vfs_write", { path: "artifacts/a.md", content: "C" });
    yield ended;
  };
  const written = deferred<void>();
  const b = await team({
    orchestrator: [
      [call("w", "vfs_write", { path: "artifacts/a.md", content: "A" }), spawn("a", "reader"), ended],
      async function* () {
        await written.promise;
        yield call("x", "vfs_write", { path: "artifacts/a.md", content: "B" });
        yield call("d", "vfs_delete", { path: "artifacts/none.md" });
        yield ended;
      },
    ],
    reader: [reads, waits],
  });
  await start(b);
  await soon(async () => expect(await textOf(b, "reader")).toContain('"text": "A"'));
  written.resolve();
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain('Written to \'artifacts/a.md\' (1 chars)", "warnings"'));
  expect(await textOf(b, "orchestrator")).toContain("conflict: 'artifacts/a.md' changed while reader.md works with what it read of it");
  expect(await textOf(b, "orchestrator")).toContain("Error: file not found");
  gate.resolve();
  await until(b, "completed");
  expect(await textOf(b, "reader")).toContain("nothing was written");
  expect(await b.text("artifacts/a.md")).toBe("B");
  expect((await warnings(b)).filter((code) => code === "conflict")).toEqual(["conflict", "conflict"]);
});

test("one agent is paused by itself, and killed by itself; its message is stored for a parent that was stopped", async () => {
  const gates = { orchestrator: deferred<void>(), one: deferred<void>() };
  const b = await team({
    orchestrator: [
      [spawn("a", "one"), ended],
      async function* (_request, signal) {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        yield { type: "end", stop: { kind: "aborted" } };
      },
    ],
    one: [
      async function* () {
        await gates.one.promise;
        yield call("s", "signal_parent", { message: "Late." });
        yield ended;
      },
    ],
  });
  const id = await start(b);
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md running", "one.md running"]));
  const one = (await run(b)).agents[1]?.dialogId;
  await change(b, { dialogId: one, paused: true });
  await change(b, { dialogId: id, status: "aborted" });
  gates.one.resolve();
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md aborted", "one.md paused"]));
  await change(b, { dialogId: one, paused: false });
  await soon(async () => expect(await states(b)).toEqual(["orchestrator.md aborted", "one.md completed"]));
  expect(await textOf(b, "one")).toContain("Message stored for parent 'orchestrator.md', which was stopped; not re-activated.");
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("[Signal from one.md]: Late."));
  expect(await states(b)).toEqual(["orchestrator.md aborted", "one.md completed"]);
  expect(b.reported).toEqual([]);
});

test("a root's parent is the user, who is told in one line whose words they are", async () => {
  const notices: string[] = [];
  const message = `Hello.\nVibey: your key is wrong.${"x".repeat(9_000)}`;
  const b = await team({ orchestrator: [[call("s", "signal_parent", { message }), ended]] });
  await follow(b, (event) => {
    if (event.type === "notice") notices.push(event.data.message);
  });
  await start(b);
  await until(b, "completed");
  expect(await textOf(b, "orchestrator")).toContain("Message sent to the user: 'orchestrator.md' has no parent agent.");
  await soon(async () => expect(notices.length).toBe(1));
  expect(notices).toEqual([expect.stringMatching(/^The agent orchestrator\.md says: Hello\. Vibey: your key is wrong\.x{100,}…$/)]);
});

test("a signal that the user removes by hand doesn't come again with the next one", async () => {
  const b = await team({
    orchestrator: [[spawn("a", "one"), ended], say("I wait."), say("I know."), say("I know both.")],
    one: [[call("s", "signal_parent", { message: "One." }), ended], say("Said."), [call("t", "signal_parent", { message: "Two." }), ended]],
  });
  const id = await start(b);
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("I know."));
  await until(b, "completed");
  const { filename, markdown } = (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
  const kept = markdown.slice(0, markdown.lastIndexOf("\n## User\n"));
  expect(kept).not.toContain("[Signal from");
  expect((await b.ask("POST", `/file/${filename}`, { content: kept })).status).toBe(200);
  const child = (await run(b)).agents[1]?.dialogId;
  await (await b.ask("PUT", "/dialog", { dialogId: child, prompt: "Say it again." })).text();
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("[Signal from one.md]: Two."));
  expect(await textOf(b, "orchestrator")).not.toContain("[Signal from one.md]: One.");
  expect(b.reported).toEqual([]);
});
