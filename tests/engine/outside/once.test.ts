// Reports of agents are stored once, whatever their order, clocks and senders, and are on disk before the agents get their answer.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { dialogCalls } from "../../../src/dialog/edit.ts";
import { memoryAgentKeys } from "../../../src/engine/outside/key-store.ts";
import { limits } from "../../../src/protocol/limits.ts";
import { bench } from "../harness.ts";
import { outsideBench, type OutsideBench, withAgent } from "./outside-bench.ts";

const agent = { agentId: "a", source: "x" };
const saidOnce = { ...agent, id: "e1", type: "user_input", text: "once" };
const tool = { name: "read", category: "read", id: "t1" };
const at = Date.UTC(2026, 10, 26, 9);
const markdown = async (b: OutsideBench) => (await b.record()).markdown;
const calls = async (b: OutsideBench) => dialogCalls(parseDialog(await markdown(b)));

test("an event whose sender heard nothing can be sent again, also to the next engine", async () => {
  const b = await outsideBench();
  const events = [
    { ...agent, id: "e1", type: "user_input", text: "once" },
    { ...agent, id: "e2", type: "tool_end", tool, success: true, output: "twice?" },
    { ...agent, id: "e3", type: "agent_idle", response: "three" },
    { ...agent, id: "e4", type: "notification", message: "four" },
  ];
  for (const event of [...events, ...events]) expect((await b.event(event)).status).toBe(200);
  const again = await withAgent(await b.reload(), b);
  for (const event of events) expect((await again.event(event)).status).toBe(200);
  for (const text of ["once", "twice?", "three", "four"]) expect((await markdown(again)).split(text)).toHaveLength(2);
  // Lines about events aren't shown on the screen.
  expect(JSON.stringify((await again.record()).messages)).not.toContain("Event");
});

test("one that could not be stored is not taken for one that was", async () => {
  let isFull = false;
  const b = await outsideBench({
    aroundCommit: async (commit, { by }) =>
      isFull && by?.kind !== "human" ? { ok: false, failure: { kind: "full", message: "no room" } } : commit(),
  });
  const event = { ...agent, id: "e1", type: "user_input", text: "once" };
  isFull = true;
  const twice = await Promise.all([b.event(event), b.event(event)]);
  expect(twice.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
    [507, "5"],
    [507, "5"],
  ]);
  isFull = false;
  expect((await b.event(event)).status).toBe(200);
  isFull = true;
  // A later event is buffered with others, but is refused, too, if it can't be written.
  expect((await b.event({ ...agent, id: "e2", type: "notification", message: "lost" })).status).toBe(507);
  isFull = false;
  expect((await b.event({ ...agent, id: "e2", type: "notification", message: "kept" })).status).toBe(200);
  expect(await markdown(b)).toMatch(/once[\s\S]*kept/);
  expect(await markdown(b)).not.toContain("lost");
});

test("a busy agent makes no event of another one's be forgotten", async () => {
  const b = await outsideBench();
  for (const agentId of ["first", "second"]) expect((await b.event({ ...saidOnce, agentId })).status).toBe(200);
  const [busy, quiet] = await b.list();
  const path = `vibey/${busy?.filename}`;
  const lines = Array.from({ length: limits.outsideIds }, (_, nth) => `> Event: busy-${nth}\n`).join("");
  expect((await b.ask("POST", `/file/${busy?.filename}`, { content: `${await b.text(path)}\n${lines}` })).status).toBe(200);
  const again = await withAgent(await b.reload(), b);
  const agentId = /> Session: (\S+)/.exec(await again.text(`vibey/${quiet?.filename}`))?.[1];
  expect((await again.event({ ...saidOnce, agentId })).status).toBe(200);
  expect((await again.text(`vibey/${quiet?.filename}`)).split("once")).toHaveLength(2);
});

test("a sub-agent whose record could not begin is told of once, also when its event is sent again", async () => {
  let now = at;
  const b = await outsideBench({ now: () => new Date(now) });
  // Fills the hour's limit, except for the session's record.
  for (let nth = 1; nth < limits.outsideRecords; nth += 1) await b.register(`other-${nth}`);
  const event = { id: "e1", type: "subagent_spawn", agentId: "child", source: "x", parentAgentId: "a", toolUseId: "t1" };
  expect((await b.event(event)).status).toBe(429);
  now += 3_600_000;
  for (let time = 0; time < 2; time += 1) expect((await b.event(event)).status).toBe(200);
  const texts = await Promise.all((await b.list()).map(({ filename }) => b.text(`vibey/${filename}`)));
  expect(texts.filter((text) => text.includes("> Launched by: "))).toHaveLength(1);
  expect(texts.join("").split("> Subagent: ")).toHaveLength(2);
});

test("a sub-agent's start is told of once, also by the next engine, whatever ids its parent's events have", async () => {
  const b = await outsideBench();
  const events = [
    { id: "e1", type: "subagent_spawn", agentId: "child one", source: "x", parentAgentId: "a", toolUseId: "t1" },
    { ...agent, id: "e1", type: "notification", message: "by the parent" },
    { id: "e1", type: "subagent_spawn", agentId: "child two", source: "x", parentAgentId: "a", toolUseId: "t2" },
    { id: "e1", type: "user_input", agentId: "child three", source: "x", text: "by a child" },
    { id: "e2", type: "subagent_spawn", agentId: "child three", source: "x", parentAgentId: "a" },
  ];
  let engine = b;
  for (let time = 0; time < 3; time += 1) {
    for (const event of [...events, ...events]) expect((await engine.event(event)).status).toBe(200);
    engine = await withAgent(await engine.reload(), b);
  }
  const texts = (await Promise.all((await engine.list()).map(({ filename }) => engine.text(`vibey/${filename}`)))).join("");
  const count = (words: string) => texts.split(words).length - 1;
  expect(["> Subagent: ", "> Notice: ", "by a child", "> Event: e1", "> Event of: child one"].map(count)).toEqual([3, 1, 1, 4, 1]);
  expect(JSON.stringify((await engine.record()).messages)).not.toContain("Event");
});

test("an agent whose record could not begin since something broke can begin one later", async () => {
  let isBroken = false;
  const options = {
    agentKeys: memoryAgentKeys(),
    get damaged() {
      return isBroken ? "vibey/doc-main.md" : "";
    },
  };
  const b = await withAgent(await bench([], options));
  isBroken = true;
  expect((await b.event(saidOnce)).status).toBe(500);
  isBroken = false;
  expect((await b.event(saidOnce)).status).toBe(200);
  expect((await markdown(b)).split("once")).toHaveLength(2);
});

test("what was acknowledged is on disk", async () => {
  const b = await outsideBench({ later: () => undefined });
  for (let nth = 0; nth < 20; nth += 1) {
    expect((await b.event({ ...agent, type: "notification", message: `number ${nth}.` })).status).toBe(200);
    const [record] = await b.list();
    expect(await b.text(`vibey/${record?.filename}`)).toContain(`number ${nth}.`);
  }
});

test.each<[string, readonly object[]]>([
  [
    "in their order",
    [
      { type: "tool_start", tool, timestamp: at },
      { type: "tool_end", tool, timestamp: at + 20, success: true },
    ],
  ],
  [
    "the end first",
    [
      { type: "tool_end", tool, timestamp: at + 20, success: true, duration: 20 },
      { type: "tool_start", tool, timestamp: at },
    ],
  ],
  [
    "the end twice",
    [
      { type: "tool_start", tool, timestamp: at },
      { type: "tool_end", tool, timestamp: at + 20 },
      { type: "tool_end", tool, timestamp: at + 30 },
    ],
  ],
  [
    "the start twice",
    [
      { type: "tool_start", tool, timestamp: at },
      { type: "tool_start", tool, timestamp: at + 1 },
      { type: "tool_end", tool, timestamp: at + 20 },
    ],
  ],
  [
    "by a clock that goes back",
    [
      { type: "tool_start", tool, timestamp: at },
      { type: "tool_end", tool, timestamp: at - 5_000 },
    ],
  ],
  [
    "by a clock of another age",
    [
      { type: "tool_start", tool, timestamp: 253_402_300_799_999 },
      { type: "tool_end", tool, timestamp: 0 },
    ],
  ],
])("a use of a tool is one call %s", async (_, events) => {
  const b = await outsideBench();
  for (const event of events) expect((await b.event({ ...agent, ...event })).status).toBe(200);
  const all = await calls(b);
  expect(all).toHaveLength(1);
  expect(all[0]?.result).toMatchObject({ success: true });
  expect(JSON.stringify(all[0]?.result)).not.toContain('"ms":-');
});

test.each<[string, readonly object[], readonly unknown[]]>([
  [
    "an id that is used again",
    [
      { type: "tool_start", tool },
      { type: "tool_end", tool, output: "one" },
      { type: "tool_start", tool },
      { type: "tool_end", tool, output: "two" },
      { type: "tool_end", tool, output: "three" },
    ],
    ["one", "two", "three"],
  ],
  [
    "an id that is used again, by an agent that reports ends alone",
    ["one", "two", "two", "three"].map((output) => ({ type: "tool_end", tool, output })),
    ["one", "two", "three"],
  ],
  [
    "an id that two calls have at a time",
    [
      { type: "tool_start", tool, input: { path: "a" } },
      { type: "tool_start", tool, input: { path: "b" } },
      { type: "tool_end", tool, input: { path: "a" }, output: "of a" },
      { type: "tool_end", tool, output: "of b" },
    ],
    ["of a", "of b"],
  ],
  [
    "ids and tools in other scripts",
    [
      { type: "tool_start", tool: { ...tool, id: "调用一", name: "读" } },
      { type: "tool_start", tool: { ...tool, id: "调用二", name: "写" } },
      { type: "tool_end", tool: { ...tool, id: "调用二", name: "写" }, output: "二" },
      { type: "tool_end", tool: { ...tool, id: "调用一", name: "读" }, output: "一" },
    ],
    ["一", "二"],
  ],
  [
    "an id that reads as the second use of another one",
    [
      { type: "tool_start", tool: { ...tool, id: "t1-use2" } },
      { type: "tool_start", tool },
      { type: "tool_end", tool, output: "one" },
      { type: "tool_start", tool },
      { type: "tool_end", tool, output: "two" },
      { type: "tool_end", tool: { ...tool, id: "t1-use2" }, output: "three" },
    ],
    ["three", "one", "two"],
  ],
])("no call and no end is lost: %s", async (_, events, outputs) => {
  let now = at;
  const b = await outsideBench({ now: () => new Date((now += 5)) });
  for (const event of events) expect((await b.event({ ...agent, ...event })).status).toBe(200);
  expect((await calls(b)).map(({ result }) => (result as { output?: unknown } | undefined)?.output)).toEqual(outputs);
});

test("an id that is used 300 times is 300 calls, also for the next engine", async () => {
  let now = at;
  const options = { now: () => new Date((now += 50)) };
  let b = await outsideBench(options);
  for (let nth = 0; nth < 300; nth += 1) {
    if (nth === 150) b = await withAgent(await b.reload(), b);
    await b.event({ ...agent, type: "tool_start", tool });
    await b.event({ ...agent, type: "tool_end", tool, output: nth });
  }
  const outputs = (await calls(b)).map(({ result }) => (result as { output?: unknown } | undefined)?.output);
  expect(outputs).toEqual(Array.from({ length: 300 }, (_, nth) => nth));
});

test("a tool whose name a block can't have shows with its name", async () => {
  const b = await outsideBench();
  await b.event({ ...agent, type: "tool_start", tool: { ...tool, name: "读" }, context: "a.md" });
  const [shown] = (await b.record()).messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  expect(shown).toMatchObject({ tool: expect.stringMatching(/^_-[0-9a-f]{8}$/) as string, state: "running" });
  expect(await markdown(b)).toContain("> Context: t1 读: a.md");
});

test("a tool that was denied here and is used all the same shows as used", async () => {
  const b = await outsideBench();
  const hook = {
    session_id: "a",
    cwd: "/x",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "rm x" },
    tool_use_id: "t9",
  };
  const answer = b.as("POST", "/hooks/claude-code", hook);
  const asked = await b.asks();
  await b.ask("PUT", "/dialog", { dialogId: asked.dialogId, decisions: "t9: deny" });
  await (await answer).text();
  await b.as("POST", "/hooks/claude-code", { ...hook, hook_event_name: "PostToolUse", tool_response: "gone" });
  expect((await calls(b)).map(({ decision, result }) => [decision, result])).toMatchObject([
    ["denied", undefined],
    [null, { success: true, output: "gone" }],
  ]);
});

test("whatever order, repetition and reloads: every named event that was taken stands there once", async () => {
  const step = fc.record({
    id: fc.integer({ min: 0, max: 5 }),
    kind: fc.constantFrom("say", "note", "end", "idle", "reload"),
    agent: fc.constantFrom("a", "b"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      let b = await outsideBench();
      const taken = new Set<string>();
      for (const { id, kind, agent: agentId } of steps) {
        if (kind === "reload") {
          b = await withAgent(await b.reload(), b);
          continue;
        }
        const word = `word-${agentId}-${id}-${kind}.`;
        const event = {
          say: { type: "user_input", text: word },
          note: { type: "notification", message: word },
          end: { type: "tool_end", tool: { ...tool, id: word }, output: word },
          idle: { type: "agent_idle", response: word },
        }[kind];
        const { status } = await b.event({ agentId, source: "x", id: `${id}-${kind}`, ...event });
        expect(status).toBe(200);
        taken.add(word);
      }
      const texts = await Promise.all((await b.list()).map(({ filename }) => b.text(`vibey/${filename}`)));
      const all = texts.join("\n");
      for (const word of taken) {
        // A call's id contains its word, too, and the line above the call repeats the id.
        const seen = all.split(word.endsWith("end.") ? `"output": "${word}"` : word).length - 1;
        expect(seen, word).toBe(1);
      }
      expect(b.reported).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test("a record that was cut at any byte is taken up there: sent again, each event stands in it once", async () => {
  const events = [
    { ...agent, id: "e1", type: "user_input", text: "Grüße, word-one." },
    { ...agent, id: "e2", type: "tool_start", tool, input: { path: "word-two" }, timestamp: at },
    { ...agent, id: "e3", type: "tool_end", tool, input: { path: "word-two" }, success: true, output: "word-three", timestamp: at + 5 },
    { ...agent, id: "e4", type: "agent_idle", response: "word-four" },
    { ...agent, id: "e5", type: "notification", message: "word-five" },
  ];
  const whole = await outsideBench();
  for (const event of events) await whole.event(event);
  const [record] = await whole.list();
  const bytes = new TextEncoder().encode(await whole.text(`vibey/${record?.filename}`));
  const head = new TextDecoder().decode(bytes).indexOf("\n## ");
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: head, max: bytes.length }), async (length) => {
      const b = await withAgent(await whole.reload(), whole);
      const content = new TextDecoder().decode(bytes.slice(0, length));
      const [before] = await b.list();
      expect((await b.ask("POST", `/file/${before?.filename}`, { content })).status).toBe(200);
      const again = await withAgent(await b.reload(), whole);
      for (const event of events) {
        const answer = await again.event(event);
        expect([answer.status, await answer.text()], JSON.stringify(content.slice(-80))).toEqual([200, '{"ok":true}']);
      }
      const text = await again.text(`vibey/${(await again.list())[0]?.filename}`);
      for (const word of ["word-one", "word-four", "word-five", '"output": "word-three"']) {
        // An event cut in the middle of its text is there twice: cut, and complete after that.
        const times = text.split(word).length - 1;
        expect(times, `${word} at ${length}`).toBeGreaterThanOrEqual(1);
        expect(times, `${word} at ${length}`).toBeLessThanOrEqual(2);
      }
      expect(parseDialog(text).format).toBe(1001);
      expect(again.reported).toEqual([]);
    }),
    { numRuns: 30, examples: [[337]] },
  );
});

test("a sub-agent that reports its own end is idle; an end that its parent reports belongs to the parent", async () => {
  const b = await outsideBench();
  const child = { agentId: "child", source: "x" };
  const task = { id: "t9", name: "Task" };
  for (const event of [
    { ...child, type: "subagent_spawn", parentAgentId: "a", toolUseId: "t1" },
    { ...child, type: "tool_start", tool: task },
    { ...child, type: "tool_end", tool: task },
    // The child's own sub-agent has finished.
    { ...child, type: "subagent_end", toolUseId: "t9" },
  ])
    expect((await b.event(event)).status).toBe(200);
  const status = async () => {
    const texts = await Promise.all((await b.list()).map(async (one) => ({ ...one, text: await b.text(`vibey/${one.filename}`) })));
    return texts.find(({ text }) => text.includes("> Launched by: "))?.status;
  };
  expect(await status()).toBe("active");
  expect((await b.event({ ...child, type: "subagent_end", toolUseId: "t1" })).status).toBe(200);
  expect(await status()).toBe("waiting");
  await b.event({ ...child, type: "tool_start", tool: { id: "t10", name: "Bash" } });
  expect(await status()).toBe("active");
  expect((await b.event({ ...child, type: "subagent_end" })).status).toBe(200);
  expect(await status()).toBe("waiting");
});
