import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DialogListing } from "../../../src/protocol/index.ts";
import type { CommitFailure } from "../../../src/fs/files.ts";
import { path } from "../../fs/notation.ts";
import { call, outcome, stopped } from "../harness.ts";
import { type Crew, crew, docMain, launch } from "./crew.ts";

const names = ["a", "b", "c", "d"] as const;
const allowed = ["> Authorized: launch_agent", "> Authorized: write_file"];
const failures: readonly CommitFailure[] = [
  { kind: "full", message: "no room" },
  { kind: "broken", message: "the disk said no" },
  { kind: "conflict", path: path("x"), expected: 1, found: 2 },
];
const decisions = (approved: boolean) => Array.from({ length: 30 }, (_, nth) => ({ id: `call-${nth}`, approved }));

interface World {
  readonly c: Crew;
  /** Makes the commit after `after` others fail. */
  fail: { after: number; failure: CommitFailure } | null;
}

/** What can happen to one agent or to all. `how` is a number from 0 to 5; `nth` is different for each step of the run. */
const steps: Readonly<Record<string, (world: World, who: string, how: number, nth: number) => unknown>> = {
  begin: ({ c }, who) => c.begin(who).catch(() => undefined),
  says: ({ c }, who) => c.reply(who, { type: "text", text: "Hi" }),
  fails: ({ c }, who) => c.reply(who, stopped({ kind: "error", reason: "server", message: "no" })),
  runs: ({ c }, who, _how, nth) => c.reply(who, call(`call-${nth}`, "run_command", { command: "ls" })),
  writes: ({ c }, who, how, nth) => c.reply(who, call(`call-${nth}`, "write_file", { path: `f${how}`, content: `${nth}` })),
  launches: ({ c }, who, how, nth) => c.reply(who, launch(`call-${nth}`, names[how % names.length] ?? "a")),
  stop: ({ c }, who, how) => ask(c, who, { status: how < 4 ? "waiting" : "done" }),
  stopAll: ({ c }) => c.b.ask("PUT", "/dialogs", { status: "waiting" }),
  allow: ({ c }, who) => ask(c, who, { authorizations: ["run_command"] }),
  conflict(world, who) {
    world.fail = { after: 0, failure: { kind: "conflict", path: path("x"), expected: 1, found: 2 } };
    return ask(world.c, who, { authorizations: ["write_file"] });
  },
  decide: ({ c }, who, how) => ask(c, who, { decisions: decisions(how < 4) }),
  prompt: ({ c }, who, how) => ask(c, who, { prompt: `${who} goes on`, decisions: decisions(how < 4) }),
  limit: ({ c }, _who, how) =>
    c.b.ask("POST", "/file/doc-main.md", { content: docMain([`agents ${how % 3}`, `launches ${how}`, ...allowed]) }),
  noDoc: ({ c }) => c.b.ask("DELETE", "/file/doc-main.md"),
  remove: async ({ c }, who) => {
    for (const { dialogId, filename } of await listing(c)) if (dialogId.endsWith(`-${who}`)) await c.b.ask("DELETE", `/file/${filename}`);
  },
  storage(world, who, how) {
    const failure = failures[who.charCodeAt(0) % failures.length];
    world.fail = failure ? { after: how, failure } : null;
  },
  time: (_world, _who, how) => new Promise((resolve) => setTimeout(resolve, how)),
};

/** Sends a request to the newest dialog of that name, if there is one. The end of its turn isn't awaited. */
async function ask(c: Crew, who: string, body: object): Promise<void> {
  const [found] = (await listing(c)).filter(({ dialogId }) => dialogId.endsWith(`-${who}`));
  if (found) await c.b.ask("PUT", "/dialog", { dialogId: found.dialogId, ...body });
}

async function listing(c: Crew): Promise<DialogListing[]> {
  return (await (await c.b.ask("GET", "/dialogs")).json()) as DialogListing[];
}

async function openWorld(): Promise<World> {
  let world: World | undefined;
  const c = await crew(["agents 1", "launches 3", ...allowed], {
    // A launch that waits for the hourly limit waits until the limit changes.
    later: (then, ms) => void (ms < 1000 && setTimeout(then, 0)),
    async run(_command, signal) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return { ...outcome("x"), aborted: signal.aborted };
    },
    async aroundCommit(commit) {
      const fail = world?.fail;
      if (!world || !fail) return commit();
      world.fail = fail.after > 0 ? { ...fail, after: fail.after - 1 } : null;
      return fail.after > 0 ? commit() : { ok: false, failure: fail.failure };
    },
  });
  world = { c, fail: null };
  return world;
}

const step = fc.record({ what: fc.constantFrom("begin", "begin", ...Object.keys(steps)), who: fc.constantFrom(...names), how: fc.nat(5) });

test("whatever happens, no slot is lost and nothing seems to go on for ever", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (script) => {
      const world = await openWorld();
      const { c } = world;
      for (const [nth, { what, who, how }] of script.entries()) await steps[what]?.(world, who, how, nth);
      world.fail = null;
      await c.b.ask("POST", "/file/doc-main.md", { content: docMain(["agents 100", "launches 1000", "depth 0", ...allowed]) });
      await expect
        .poll(
          async () => {
            for (const who of names) c.reply(who, { type: "text", text: "Done." });
            return [await c.line(), (await listing(c)).filter(({ activity }) => activity !== null)];
          },
          { interval: 1, timeout: 5000 },
        )
        .toEqual(["|", []]);
      // If a dialog's file could not even record the stop, a click stops it.
      await c.b.ask("PUT", "/dialogs", { status: "waiting" });
      expect((await listing(c)).filter(({ status }) => status === "active")).toEqual([]);
      expect(c.b.reported).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
