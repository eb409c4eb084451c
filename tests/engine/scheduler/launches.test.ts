import { expect, test } from "vitest";
import type { DialogListing } from "../../../src/protocol/index.ts";
import { memoryStore } from "../../../src/fs/memory.ts";
import type { BenchOptions } from "../harness.ts";
import { type Crew, crew, launch } from "./crew.ts";

const minute = 60_000;
const start = Date.UTC(2026, 10, 21, 12, 0, 0);

/** A clock that the test moves. Short waits, such as the store's, end at once, and so do waits of 2^31 ms or more, as in browsers. */
function manualClock(): Required<Pick<BenchOptions, "now" | "later">> & { to(minutes: number): void } {
  let now = start;
  const timers: { at: number; ring: () => void }[] = [];
  return {
    now: () => new Date(now),
    later(ring, ms) {
      if (ms < 1000 || ms >= 2 ** 31) setTimeout(ring, 0);
      else timers.push({ at: now + ms, ring });
    },
    to(minutes) {
      now = start + minutes * minute;
      for (const { at, ring } of timers.splice(0)) {
        if (at <= now) ring();
        else timers.push({ at, ring });
      }
    },
  };
}

const doc = ["launches 2", "> Authorized: launch_agent"];

async function launched(c: Crew, by: string, ...names: string[]): Promise<void> {
  c.reply(by, ...names.map((name) => launch(`of-${name}`, name)));
  await c.begin(by);
}

test("launches over the limit are made, wait, say until when, and begin by themselves", async () => {
  const clock = manualClock();
  const c = await crew(doc, { now: clock.now, later: clock.later });
  await launched(c, "lead", "a", "b", "c", "d", "e");
  await c.is("lead a b | c d e");
  const reason = (time: string) =>
    `2 agents were launched by agents in the last 60 minutes, which is the limit (doc-main.md: > Limit: launches 2). This one starts at ${time} UTC.`;
  const activity = async (name: string) => (await c.dialog(name)).activity;
  expect(await activity("c")).toEqual({ kind: "queued", ahead: 0, reason: reason("13:00") });
  expect(await activity("e")).toEqual({ kind: "queued", ahead: 2, reason: reason("14:00") });
  expect(await c.dialog("c")).toMatchObject({ status: "active", launchedBy: await c.id("lead") });
  expect(c.notices).toEqual([reason("13:00")]);
  clock.to(59);
  await c.is("lead a b | c d e");
  clock.to(60);
  await c.is("lead a b c d | e");
  expect((await c.dialog("c")).messages[1]?.start).toBe("2026-11-21T13:00:00.000Z");
  // The limit doesn't apply to the user.
  await c.begin("mine");
  await c.is("lead a b c d mine | e");
  clock.to(120);
  await c.is("lead a b c d mine e |");
  // The agent runs as soon as it may, and sends its request once that is stored.
  await expect.poll(() => c.asked.filter((name) => name !== "lead")).toEqual(["a", "b", "c", "d", "mine", "e"]);
  expect(c.b.reported).toEqual([]);
});

test("a reload forgets no launch, neither one that began late", async () => {
  const clock = manualClock();
  const store = memoryStore();
  const options = { store, now: clock.now, later: clock.later };
  const c = await crew(doc, options);
  await launched(c, "lead", "a", "b", "c");
  await c.is("lead a b | c");
  clock.to(60);
  await expect.poll(() => c.asked).toContain("c");

  clock.to(70);
  const after = await crew([], options);
  await launched(after, "next", "d", "e");
  await after.is("next d | e");
  expect((await after.dialog("e")).activity).toMatchObject({ reason: expect.stringContaining("starts at 14:00 UTC") });
});

test("with launches 0 an agent's launch waits until doc-main.md says otherwise", async () => {
  const c = await crew(["launches 0", "> Authorized: launch_agent"]);
  await launched(c, "lead", "a");
  await c.is("lead | a");
  expect((await c.dialog("a")).activity).toMatchObject({ reason: "Agents can't launch other agents (doc-main.md: > Limit: launches 0)." });
  await c.b.ask("POST", "/file/doc-main.md", { content: "> Limit: launches 1\n" });
  await c.is("lead a |");
});

test("the human is told once in a while that a limit bites, not once per dialog", async () => {
  const clock = manualClock();
  const c = await crew(["agents 1"], { now: clock.now, later: clock.later });
  for (const name of ["a", "b", "c", "d"]) await c.begin(name);
  await c.is("a | b c d");
  expect(c.notices).toHaveLength(1);
  clock.to(11);
  await c.begin("e");
  await expect.poll(() => c.notices.length).toBe(2);
  // Also after the clock was set back.
  clock.to(-60);
  await c.begin("f");
  await expect.poll(() => c.notices.length).toBe(3);
});

test.each([
  ["in years to come", "20990101-000000-x", "2099-01-01T00:00:00.000Z"],
  ["in a minute", "20261121-120100-x", "2026-11-21T12:01:00.000Z"],
  ["at no time that can be read", "20990101-000000-x", "soon"],
])("a file that says that its agent began %s holds nobody back", async (_when, id, time) => {
  const clock = manualClock();
  const c = await crew(["launches 1", "> Authorized: launch_agent"], { now: clock.now, later: clock.later });
  const content = `# Dialog\n> Format: 1\n> Launched by: y\n\n## Assistant\n> Time: ${time} - ${time}\n\nHi\n`;
  expect((await c.b.ask("POST", `/file/dialog-${id}-done.md`, { content })).status).toBe(200);
  await launched(c, "lead", "a");
  await c.is("lead a |");
});

test("when the clock is set back, a launch waits for an hour and not until the clock is there again", async () => {
  const clock = manualClock();
  const c = await crew(["launches 1", "> Authorized: launch_agent"], { now: clock.now, later: clock.later });
  clock.to(100 * 24 * 60);
  await launched(c, "lead", "a", "b");
  await c.is("lead a | b");
  clock.to(0);
  await launched(c, "next", "c");
  await c.is("lead a next | b c");
  clock.to(59);
  await c.is("lead a next | b c");
  clock.to(60);
  await c.is("lead a next b | c");
});

test("a launch that waits looks at the clock each minute, so that it begins soon after a computer that slept wakes up", async () => {
  const clock = manualClock();
  const waits: number[] = [];
  const later = (then: () => void, ms: number) => {
    if (ms >= 1000) waits.push(ms);
    clock.later(then, ms);
  };
  const c = await crew(["launches 1", "> Authorized: launch_agent"], { now: clock.now, later });
  await launched(c, "lead", "a", "b", "c");
  await c.is("lead a | b c");
  expect(waits).toEqual([minute]);
});

test("a dialog that can't be read keeps no agent from launching", async () => {
  const clock = manualClock();
  const store = memoryStore();
  const before = await crew(doc, { store, now: clock.now, later: clock.later });
  await launched(before, "lead", "a");
  await before.is("lead a |");
  const listing = (await (await before.b.ask("GET", "/dialogs")).json()) as DialogListing[];
  const damaged = `vibey/${listing.find(({ dialogId }) => dialogId.endsWith("-a"))?.filename}`;
  const c = await crew([], { store, now: clock.now, later: clock.later, damaged });
  await launched(c, "next", "b");
  await c.is("next b |");
  expect(c.notices).toEqual([]);
  expect(c.b.reported.map(String)).toContain(`StorageError: ${damaged} is damaged`);
});
