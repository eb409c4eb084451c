// What viewers of earlier Vibecraft versions read: the same events live and from the records, in the format of Claude Code's hooks.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/dialog/model.ts";
import { outsideBench, type OutsideBench, withAgent } from "./outside-bench.ts";

const at = Date.UTC(2026, 10, 26, 9);
const base = { sessionId: "s", cwd: "/app" };
const hooks: readonly JsonObject[] = [
  { ...base, id: "e1", timestamp: at + 1_000, type: "session_start", source: "startup" },
  { ...base, id: "e2", timestamp: at + 2_000, type: "user_prompt_submit", prompt: "Fix it" },
  { ...base, id: "e3", timestamp: at + 3_000, type: "pre_tool_use", tool: "Bash", toolInput: { command: "ls" }, toolUseId: "t1" },
  { ...base, id: "e4", timestamp: at + 4_000, type: "pre_tool_use", tool: "Read", toolInput: { path: "a" }, toolUseId: "t2" },
  {
    ...base,
    id: "e5",
    timestamp: at + 5_000,
    type: "post_tool_use",
    tool: "Bash",
    toolInput: { command: "ls" },
    toolUseId: "t1",
    success: true,
    toolResponse: { stdout: "a" },
  },
  {
    ...base,
    id: "e6",
    timestamp: at + 6_000,
    type: "post_tool_use",
    tool: "Read",
    toolInput: { path: "a" },
    toolUseId: "t2",
    success: false,
  },
  { ...base, id: "e7", timestamp: at + 7_000, type: "notification", message: "Needs you", notificationType: "permission_prompt" },
  { ...base, id: "e8", timestamp: at + 8_000, type: "pre_compact", trigger: "manual" },
  { ...base, id: "e9", timestamp: at + 9_000, type: "subagent_stop", stopHookActive: false },
  { ...base, id: "e10", timestamp: at + 10_000, type: "stop", stopHookActive: true, response: "Done." },
  { ...base, id: "e11", timestamp: at + 11_000, type: "session_end", reason: "exit" },
];
/** The part of an event that every viewer gets. */
const told = (hook: JsonObject): JsonObject => {
  const { cwd: _cwd, source: _source, ...fields } = hook;
  return fields;
};

const historyOf = async (b: OutsideBench) =>
  ((await (await b.as("POST", "/v2/stream", { type: "get_history" })).json()) as { payload: JsonObject[] }).payload;

/** Collects the events that a viewer gets from now on. */
async function follow(b: OutsideBench) {
  const reader = (await b.as("GET", "/v2/stream")).body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const frames = () =>
    text
      .split("\n\n")
      .slice(0, -1)
      .map((block) => JSON.parse(block.slice("data: ".length)) as { type: string; payload: JsonObject & JsonObject[] });
  return {
    async until(count: number) {
      while (frames().length < count) text += (await reader?.read())?.value ?? "";
      return frames();
    },
    leave: () => reader?.cancel(),
  };
}

test("hooks of Claude Code come as they were sent, live and from the record, also in the next engine", async () => {
  const b = await outsideBench({ now: () => new Date(at + 20_000) });
  const viewer = await follow(b);
  await viewer.until(3);
  for (const hook of hooks) expect((await b.as("POST", "/event", hook)).status).toBe(200);
  const live = (await viewer.until(3 + hooks.length)).slice(3).map(({ payload }) => payload);
  expect(live).toMatchObject(hooks.map(told));
  await viewer.leave();
  const again = await withAgent(await b.reload(), b);
  expect(await historyOf(again)).toMatchObject(hooks.map(told));
});

test("what a sender gives beside an event is kept and told; what a line can't hold is told live, and said to be lost", async () => {
  const b = await outsideBench();
  const viewer = await follow(b);
  await viewer.until(3);
  const event = {
    agentId: "a",
    source: "x",
    id: "m1",
    type: "notification",
    message: "Hi",
    level: "warning",
    metadata: { run: 7, of: "it" },
  };
  expect(await (await b.event(event)).json()).toEqual({ ok: true });
  const long = { ...event, id: "m2", metadata: { text: "y".repeat(400) } };
  expect(await (await b.event(long)).json()).toMatchObject({ ok: true, warnings: [expect.stringContaining("metadata")] });
  const [first, second] = (await viewer.until(5)).slice(3).map(({ payload }) => payload);
  expect(first).toMatchObject({ id: "m1", level: "warning", metadata: event.metadata });
  expect(second).toMatchObject({ id: "m2", metadata: long.metadata });
  expect(await historyOf(b)).toMatchObject([{ id: "m1", level: "warning", metadata: event.metadata }, { id: "m2" }]);
  await viewer.leave();
});

test("what the end of a call leaves out is told live as it is in the history: whether it succeeded, and how long it took", async () => {
  const b = await outsideBench({ now: () => new Date(at + 20_000) });
  const viewer = await follow(b);
  await viewer.until(3);
  const about = { agentId: "a", source: "x", tool: { id: "t1", name: "Bash" } };
  await b.event({ ...about, id: "e1", type: "tool_start", timestamp: at });
  await b.event({ ...about, id: "e2", type: "tool_end", timestamp: at + 2_000 });
  await b.event({ ...about, id: "e3", type: "tool_start", timestamp: at + 3_000 });
  await b.event({ ...about, id: "e4", type: "tool_end", timestamp: at + 5_000, duration: 7, error: "It broke." });
  const ends = [{}, { id: "e2", success: true, duration: 2_000 }, {}, { id: "e4", success: false, duration: 7 }];
  expect((await viewer.until(7)).slice(3).map(({ payload }) => payload)).toMatchObject(ends);
  expect(await historyOf(b)).toMatchObject(ends);
  await viewer.leave();
});

test("what happens while a viewer joins is told, in the history or behind it, and once", async () => {
  let meanwhile: (() => Promise<unknown>) | null = null;
  const b = await outsideBench({
    async beforeRead(path) {
      if (meanwhile === null || !path.includes("outside-x")) return;
      const then = meanwhile;
      meanwhile = null;
      await then();
    },
  });
  const say = (source: string, id: string) => b.event({ agentId: source, source, id, type: "user_input", text: id });
  await say("x", "u0");
  await say("y", "u1");
  // The other record was read before this one.
  meanwhile = () => Promise.all([say("x", "u2"), say("y", "u3")]);
  const viewer = await follow(b);
  await viewer.until(3);
  await say("y", "u4");
  let frames = await viewer.until(4);
  while (frames.every(({ payload }) => payload["id"] !== "u4")) frames = await viewer.until(frames.length + 1);
  const [, , history, ...events] = frames;
  const ids = [...(history?.payload ?? []), ...events.map(({ payload }) => payload)].map((frame) => frame["id"]);
  expect([ids.length, new Set(ids)]).toEqual([5, new Set(["u0", "u1", "u2", "u3", "u4"])]);
  await viewer.leave();
});
