import { expect, test } from "vitest";
import { deferred } from "../deferred.ts";
import { call, ended, say } from "../harness.ts";
import { change, entry, run, spawn, start, team, textOf, until } from "./team.ts";
import { soon } from "../../soon.ts";

const changed = "---\nname: orchestrator\n---\nYou lead, and you answer in verse.";
const times = (text: string) => text.split("> Definition: ").length - 1;

test("Apply: an agent that works is told what its file says now, once, when its turn is over; its next request has it", async () => {
  const gate = deferred<void>();
  const b = await team({
    orchestrator: [
      async function* () {
        yield call("a", "vfs_list", { prefix: "" });
        await gate.promise;
        yield ended;
      },
      say("Done."),
      say("In verse."),
    ],
  });
  const runId = await start(b);
  await until(b, "running");
  await b.ask("PUT", `/deed/${entry}`, changed);
  await change(b, { dialogId: runId, apply: true });
  expect(times(await textOf(b, "orchestrator"))).toBe(0);
  gate.resolve();
  await soon(async () => expect(times(await textOf(b, "orchestrator"))).toBe(1));
  // The agent was told, and started nothing.
  expect(b.requests).toHaveLength(2);
  expect((await run(b)).state).toBe("completed");
  const again = await b.reload();
  await change(again, { dialogId: runId, apply: true });
  await (await again.ask("PUT", "/dialog", { dialogId: runId, prompt: "And now?" })).text();
  const text = await textOf(again, "orchestrator");
  expect(times(text)).toBe(1);
  expect(text).toContain("> Applied: 2026-");
  expect(text).toContain("[orchestrator.md was changed]: From now on these are your instructions");
  expect(text.indexOf("answer in verse")).toBeLessThan(text.indexOf("And now?"));
  expect((await again.ask("PUT", "/agents/runs", { runId, apply: true })).status).toBe(400);
  expect([...b.reported, ...again.reported]).toEqual([]);
});

test("a file that was only saved reaches its agent when another one activates it", async () => {
  const gate = deferred<void>();
  const b = await team({
    orchestrator: [[spawn("s", "helper"), ended], say("Waiting for it."), say("In verse.")],
    helper: [
      async function* () {
        await gate.promise;
        yield call("g", "signal_parent", { message: "Found it." });
        yield ended;
      },
    ],
  });
  await start(b);
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("Waiting for it."));
  await b.ask("PUT", `/deed/${entry}`, changed);
  expect(times(await textOf(b, "orchestrator"))).toBe(0);
  gate.resolve();
  await until(b, "completed");
  const text = await textOf(b, "orchestrator");
  expect(times(text)).toBe(1);
  expect(text.indexOf("answer in verse")).toBeLessThan(text.indexOf("Found it."));
  expect(b.reported).toEqual([]);
});

test("a file that was only saved reaches its agent with the user's next message, once", async () => {
  const b = await team({ orchestrator: [say("Done."), say("In verse."), say("Again.")] });
  const runId = await start(b);
  await until(b, "completed");
  await b.ask("PUT", `/deed/${entry}`, changed);
  for (const prompt of ["And now?", "And then?"]) await (await b.ask("PUT", "/dialog", { dialogId: runId, prompt, mentions: [] })).text();
  const text = await textOf(b, "orchestrator");
  expect(times(text)).toBe(1);
  expect(text.indexOf("answer in verse")).toBeLessThan(text.indexOf("And now?"));
  expect(text).toContain("Again.");
  expect(b.reported).toEqual([]);
});
