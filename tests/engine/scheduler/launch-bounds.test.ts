import { expect, test } from "vitest";
import type { DialogListing } from "../../../src/protocol/index.ts";
import { dialogCalls } from "../../../src/dialog/edit.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { limits } from "../../../src/protocol/limits.ts";
import { type Crew, crew, launch } from "./crew.ts";

const doc = (...lines: string[]) => [...lines, "> Authorized: launch_agent"];
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const launches = (prefix: string, count: number) => names(prefix, count).map((name) => launch(`of-${name}`, name));

const dialogs = async (c: Crew) => (await (await c.b.ask("GET", "/dialogs")).json()) as DialogListing[];

/** The results of an agent's launches, as the agent gets them. */
async function results(c: Crew, name: string): Promise<Record<string, unknown>[]> {
  return dialogCalls(parseDialog((await c.dialog(name)).markdown)).map(({ result }) => result as Record<string, unknown>);
}

test("one agent launches so many and no more, is told why, and so is the human", async () => {
  const c = await crew(doc("launches 1000", "agents 1000"));
  c.reply("lead", ...launches("a", limits.launchesByAgent + 3));
  await c.begin("lead");
  await expect.poll(() => c.asked.filter((name) => name === "lead").length).toBe(2);
  expect(await dialogs(c)).toHaveLength(limits.launchesByAgent + 1);
  const refused = (await results(c, "lead")).slice(limits.launchesByAgent);
  const why = `One agent can launch up to ${limits.launchesByAgent} agents, and this one has reached that`;
  expect(refused).toEqual(
    Array.from({ length: 3 }, () => ({
      success: false,
      error: `${why}. No dialog was created. Do the work yourself, or say what's left to do.`,
    })),
  );
  expect(c.notices).toContain(`${why}, so it couldn't launch another one.`);
});

test("agents below one dialog of a human launch so many together, however deep", async () => {
  const c = await crew(doc("launches 1000", "agents 1000", "depth 10"));
  const each = limits.launchesByAgent;
  const leads = names("b", Math.ceil(limits.launchesBelowHuman / each));
  for (const name of leads) c.reply(name, ...launches(`${name}-`, each));
  c.reply("lead", ...leads.map((name) => launch(`of-${name}`, name)));
  await c.begin("lead");
  await expect.poll(() => leads.every((name) => c.asked.filter((one) => one === name).length === 2)).toBe(true);
  expect(await dialogs(c)).toHaveLength(limits.launchesBelowHuman + 1);
  const refused = (await Promise.all(leads.map((name) => results(c, name)))).flat().filter(({ success }) => success === false);
  expect(refused).toHaveLength(leads.length);
  expect(refused[0]?.["error"]).toMatch(
    new RegExp(
      `^Agents can launch up to ${limits.launchesBelowHuman} agents below one dialog that you started, and below \\S+-lead they have reached that\\.`,
    ),
  );

  // Another dialog of the user has its own limit.
  c.reply("other", launch("of-x", "x"));
  await c.begin("other");
  await expect.poll(() => c.asked).toContain("x");
});

test("so many launched agents wait and no more; each launcher is told that its agent waits, and why", async () => {
  const c = await crew(doc("launches 0"));
  const leads = names("lead", limits.launchesWaiting / limits.launchesByAgent + 1);
  for (const name of leads) {
    c.reply(name, ...launches(`${name}-`, limits.launchesByAgent));
    await c.begin(name);
    await expect.poll(() => c.asked.filter((one) => one === name).length).toBe(2);
  }
  expect(await dialogs(c)).toHaveLength(limits.launchesWaiting + leads.length);
  const last = await results(c, leads.at(-1) ?? "");
  expect(last.map(({ error }) => error)).toEqual(
    Array.from(
      { length: limits.launchesByAgent },
      () =>
        `Up to ${limits.launchesWaiting} launched agents can be queued at a time, and that many are. No dialog was created. Do the work yourself, or say what's left to do.`,
    ),
  );
  expect((await results(c, leads[0] ?? ""))[0]).toMatchObject({
    success: true,
    queued: "Agents can't launch other agents (doc-main.md: > Limit: launches 0).",
  });
});

test("a launch that begins at once is not called queued", async () => {
  const c = await crew(doc());
  c.reply("lead", launch("of-a", "a"));
  await c.begin("lead");
  await expect.poll(() => c.asked).toContain("a");
  expect(Object.keys((await results(c, "lead"))[0] ?? {})).toEqual(["success", "launched"]);
});

test("a queue that moves on tells of each place once in a while, not of every place at every start", async () => {
  const later: (() => void)[] = [];
  const c = await crew(["agents 1"], { later: (then, ms) => (ms === limits.queueShowMs ? later.push(then) : setTimeout(then, ms)) });
  const waiting = names("w", 40);
  await c.begin("first");
  for (const name of waiting) await c.begin(name);
  await expect.poll(() => c.places.length).toBe(waiting.length);
  c.reply("first", { type: "text", text: "Done." });
  for (const name of waiting.slice(0, 20)) c.reply(name, { type: "text", text: "Done." });
  await expect.poll(() => c.asked.length).toBe(22);
  expect(c.places).toHaveLength(waiting.length);
  for (const show of later.splice(0)) show();
  await expect.poll(() => c.places.length).toBe(waiting.length + 19);
  expect(c.places.slice(waiting.length)).toEqual(waiting.slice(21).map((name, ahead) => `${name} ${ahead}`));
});

test("Stop all stops those that run before those that wait", async () => {
  const c = await crew(["agents 2"]);
  for (const name of ["a", "b", ...names("w", 30)]) await c.begin(name);
  const { stopped } = (await (await c.b.ask("PUT", "/dialogs", { status: "waiting" })).json()) as { stopped: string[] };
  expect(stopped).toHaveLength(32);
  expect(stopped.slice(0, 2).toSorted()).toEqual([await c.id("a"), await c.id("b")].toSorted());
  expect(c.asked).toEqual(["a", "b"]);
});
