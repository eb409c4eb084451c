import { describe, expect, test } from "vitest";
import { serialiseDialog } from "../../../src/dialog/serialise.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { memoryKeys } from "../../../src/engine/vault/keys.ts";
import { memoryStore } from "../../../src/fs/memory.ts";
import { type BenchOptions, call, ended, type Reply, say } from "../harness.ts";
import { type Crew, crew, launch } from "./crew.ts";
import { spawn, start as startRun, states, team, textOf } from "./team.ts";

const said = (text: string) => ({ type: "text", text }) as const;
const queuedLine = /^> Queued: /m;

/** Keys as after a reload, from another tab or saved on this device. */
function knownKeys() {
  const keys = memoryKeys();
  keys.set("claude", "sk-1", "https://api.example");
  return keys;
}

/** The same project in a series of engines; the previous engine does nothing more. */
function project(doc: readonly string[]) {
  const store = memoryStore();
  let engines = 0;
  return async (options: BenchOptions = {}): Promise<Crew> => {
    engines += 1;
    return crew(engines === 1 ? doc : [], { store, keys: knownKeys(), ...options });
  };
}

test("agents that waited for their turn wait on after a reload, and begin by themselves, oldest first", async () => {
  const start = project(["agents 1"]);
  const c = await start();
  for (const name of ["a", "b", "c"]) await c.begin(name);
  await c.is("a | b c");
  await expect.poll(async () => (await c.dialog("c")).markdown).toMatch(/\n## Assistant\n> Time: \S+ - \n> Queued: \S+\n$/);

  const after = await start();
  expect((await after.dialog("a")).markdown).toMatch(/\n> Stop: interrupted\n$/);
  await after.is("b | c");
  await expect.poll(() => after.asked).toEqual(["b"]);
  expect(await after.dialog("c")).toMatchObject({ status: "active", activity: { kind: "queued", ahead: 0 } });
  after.reply("b", said("Done."));
  after.reply("c", said("Done."));
  await after.is("|");
  for (const name of ["b", "c"]) {
    const { status, markdown, messages } = await after.dialog(name);
    expect([status, messages.at(-1)?.parts]).toEqual(["done", [{ kind: "text", text: "Done." }]]);
    expect(markdown).not.toMatch(queuedLine);
    expect(serialiseDialog(parseDialog(markdown))).toBe(markdown);
  }
  expect(after.b.reported).toEqual([]);
});

test("any number of reloads changes nothing about one that waits", async () => {
  const start = project(["agents 0"]);
  const c = await start();
  for (const name of ["a", "b"]) await c.begin(name);
  await expect.poll(async () => (await c.dialog("b")).markdown).toMatch(queuedLine);
  const before = await c.dialog("b");
  for (const _ of [1, 2]) {
    const again = await start();
    await again.is("| a b");
    expect((await again.dialog("b")).markdown).toBe(before.markdown);
    expect(again.asked).toEqual([]);
  }
});

test("launched agents keep their place behind the human's, and count when they begin", async () => {
  const start = project(["agents 1", "launches 1", "> Authorized: launch_agent"]);
  const c = await start();
  c.reply("lead", launch("1", "one"), launch("2", "two"));
  await c.begin("lead");
  await c.is("lead | one two");
  await c.begin("mine");
  await expect.poll(async () => (await c.dialog("mine")).markdown).toMatch(queuedLine);
  await expect.poll(async () => (await c.dialog("two")).markdown).toMatch(queuedLine);

  const after = await start();
  await after.is("mine | one two");
  after.reply("mine", said("Done."));
  await after.is("one | two");
  expect((await after.dialog("two")).activity).toMatchObject({
    reason: expect.stringContaining("1 agent was launched by an agent in the last"),
  });
});

test("an approved call that waited for its turn runs after a reload, once, and is claimed when it does", async () => {
  const start = project(["agents 1"]);
  const c = await start();
  c.reply("a", call("1", "run_command", { command: "one" }), call("2", "run_command", { command: "two" }));
  await c.begin("a");
  await c.is("|");
  await c.begin("b");
  await c.is("b |");
  await c.put("a", { decisions: "1: approve\n2: approve" });
  await c.is("b | a");
  await expect.poll(async () => (await c.dialog("a")).markdown).toMatch(/\n> Queued: \S+ 1\n$/);
  expect((await c.dialog("a")).markdown).not.toMatch(/^Started:/m);

  const after = await start();
  after.reply("a", said("Both ran."));
  await after.is("|");
  const { markdown, status } = await after.dialog("a");
  expect([after.b.commands, c.b.commands, status]).toEqual([["one", "two"], [], "done"]);
  expect(markdown).not.toContain("interrupted");
  // An agent that has begun is no longer queued, although its line is still there.
  const third = await start();
  expect([await third.line(), third.b.commands, third.b.reported]).toEqual(["|", [], []]);
});

test("a command that waits for a shell is not claimed, and waits on after a reload", async () => {
  const start = project(["> Authorized: run_command"]);
  const c = await start({
    turn: (_command, { waits }) => {
      waits?.();
      return new Promise(() => undefined);
    },
  });
  c.reply("a", call("1", "run_command", { command: "ls" }));
  await c.begin("a");
  await expect.poll(async () => (await c.dialog("a")).markdown).toMatch(/\n> Queued: \S+ 1\n$/);
  expect((await c.dialog("a")).markdown).not.toMatch(/^Started:/m);
  const after = await start();
  after.reply("a", said("Done."));
  await after.is("|");
  expect([after.b.commands, (await after.dialog("a")).status]).toEqual([["ls"], "done"]);
});

test("a command that had begun is not run again, whatever it had waited for before", async () => {
  const start = project(["> Authorized: run_command"]);
  const c = await start({
    async turn(_command, { waits }) {
      waits?.();
      return true;
    },
    run: () => new Promise(() => undefined),
  });
  c.reply("a", call("1", "run_command", { command: "ls" }));
  await c.begin("a");
  await expect.poll(() => c.b.commands).toEqual(["ls"]);
  const after = await start();
  const { status, markdown } = await after.dialog("a");
  expect([status, after.b.commands]).toEqual(["waiting", []]);
  expect(markdown).toMatch(queuedLine);
  expect(markdown).toContain("this may or may not have run");
  expect(markdown).toMatch(/\n> Stop: interrupted\n$/);
});

describe("without the provider's key", () => {
  async function locked() {
    const start = project(["agents 1"]);
    const c = await start();
    for (const name of ["a", "b", "c"]) await c.begin(name);
    await c.is("a | b c");
    await expect.poll(async () => (await c.dialog("c")).markdown).toMatch(queuedLine);
    return start({ keys: memoryKeys() });
  }
  const reason = "No API key for Claude. Once you add one in Settings, the agent continues on its own.";

  test("one waits on after a reload, says for what, and goes on once it is there", async () => {
    const after = await locked();
    await after.is("| b c");
    await expect.poll(() => after.dialog("c")).toMatchObject({ activity: { kind: "queued", needs: "key", reason } });
    expect([after.asked, after.b.reported]).toEqual([[], []]);
    await after.b.ask("PUT", "/provider/claude", { apiKey: "sk-2" });
    await after.is("b | c");
    await expect.poll(async () => (await after.dialog("c")).activity).not.toHaveProperty("needs");
    after.reply("b", said("Done."));
    after.reply("c", said("Done."));
    await after.is("|");
    expect(after.asked).toEqual(["b", "c"]);
  });

  test("it keeps no place from those that have what they need", async () => {
    const after = await locked();
    await after.is("| b c");
    await after.begin("d");
    await after.is("d | b c");
  });

  test("it is stopped like any other, and goes on with the next word", async () => {
    const after = await locked();
    await after.is("| b c");
    await after.put("b", { status: "waiting" });
    expect(await after.line()).toBe("| c");
    await after.b.ask("PUT", "/dialogs", { status: "waiting" });
    expect(await after.line()).toBe("|");
    for (const name of ["b", "c"]) {
      const { status, activity, markdown } = await after.dialog(name);
      expect([status, activity]).toEqual(["waiting", null]);
      expect(markdown).toMatch(/\n## Assistant\n> Time: \S+ - \S+\n> Queued: \S+\n\n> Stop: aborted\n$/);
    }
    expect(after.asked).toEqual([]);
    const again = await crew([], {});
    expect(await again.line()).toBe("|");
  });
});

test("what the human allows while it waits is not lost with the engine", async () => {
  const start = project(["agents 0"]);
  const c = await start();
  await c.begin("a");
  await expect.poll(async () => (await c.dialog("a")).markdown).toMatch(queuedLine);
  await c.put("a", { authorizations: ["run_command"] });
  const after = await start();
  await after.is("| a");
  expect((await after.dialog("a")).authorized).toEqual(["run_command"]);
  after.reply("a", call("1", "run_command", { command: "ls" }));
  after.reply("a", said("Done."));
  await after.b.ask("POST", "/file/doc-main.md", { content: "# A game\n" });
  await after.is("|");
  expect(after.b.commands).toEqual(["ls"]);
  const { markdown } = await after.dialog("a");
  expect(serialiseDialog(parseDialog(markdown))).toBe(markdown);
});

test("agents of a run whose root was interrupted keep their places", async () => {
  const never: Reply = async function* (_request, signal) {
    yield { type: "text", text: "Half a " };
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    yield { type: "end", stop: { kind: "aborted" } };
  };
  const names = ["one", "two", "three"];
  const store = memoryStore();
  const b = await team({ orchestrator: [[...names.map((name) => spawn(name, name)), ended], never] }, { store });
  await startRun(b, { limits: { agents: 1 } });
  await expect.poll(() => states(b)).toEqual(["orchestrator.md running", ...names.map((name) => `${name}.md queued`)]);
  // The root's file is the newest, so the next engine reads it first.
  await expect.poll(() => textOf(b, "orchestrator")).toContain("Half a");

  const after = await team(Object.fromEntries(names.map((name) => [name, [say(`I am ${name}.`)]])), { store });
  await expect.poll(() => states(after)).toEqual(["orchestrator.md paused", ...names.map((name) => `${name}.md completed`)]);
  expect(await textOf(after, "orchestrator")).toContain("> Stop: interrupted");
  for (const name of names) expect(await textOf(after, name)).not.toContain("> Stop");
  expect(after.reported).toEqual([]);
});

test("agents that are mentioned in a dialog that was interrupted keep their places", async () => {
  const time = "2026-11-26T09:00:00.000Z";
  const start = `# Dialog\n> Format: 2\n> Provider: claude\n> Model: model-1\n> Started: ${time}\n`;
  const room = "20261126-100000-room";
  const reviewers = ["one", "two"].map((name, at) => ({
    name,
    id: `20261126-09000${at}-${name}`,
    since: time.replace("00.000Z", `0${at}.000Z`),
  }));
  const mentions = reviewers.map(({ name, id }) => `> Mentions: ${name} ${id}\n`).join("");
  const answers = `## Assistant\n> Time: ${time} - \n`;
  const c = await crew([], {
    keys: knownKeys(),
    welcome: [
      { name: "doc-main.md", content: "> Limit: agents 0\n" },
      {
        name: `dialog-${room}-active.md`,
        content: `${start}\n## User\n> Time: ${time}\n${mentions}\nWhat do you think?\n\n## User\n> Time: ${time}\n\nGo on.\n\n${answers}\nI go`,
      },
      ...reviewers.map(({ name, id, since }) => ({
        name: `dialog-${id}-active.md`,
        content:
          `${start}> Agent: ${name} ${"a".repeat(64)}\n> Tools: none\n> Replies to: ${room} | Message: 1\n\n` +
          `## User\n> Time: ${time}\n> From: human ${room}\n\nWhat do you think?\n\n${answers}> Queued: ${since}\n`,
      })),
    ],
  });
  expect((await c.dialog("room")).markdown).toMatch(/\n> Stop: interrupted\n$/);
  await c.is("| one two");
  for (const { name } of reviewers) expect((await c.dialog(name)).markdown).not.toContain("> Stop");
});
