// A client that follows a session misses nothing, wherever it left, and can follow long sessions, too.
import { expect, test, vi } from "vitest";
import type { SessionFrame, SessionMessage } from "../../../src/protocol/index.ts";
import { memoryAgentKeys } from "../../../src/engine/outside/key-store.ts";
import * as frames from "../../../src/engine/sessions/frames.ts";
import { call, ended, say } from "../harness.ts";
import { withAgent } from "../outside/outside-bench.ts";
import { type messagesOf, phone } from "./phone.ts";

type Stream = ReturnType<typeof messagesOf>;
const events = ({ all }: Stream): SessionFrame[] => all.filter((message): message is SessionFrame => "id" in message);
/** The ids of all events that the client received, sorted. */
const given = (...streams: Stream[]) => streams.flatMap((stream) => events(stream).map(({ id }) => id)).toSorted();
const isIdle = (message: SessionMessage) => message.type === "state_change" && message.status === "idle";

/** An engine with a phone, and an outside agent. */
async function withOutside() {
  const p = await phone([], { agentKeys: memoryAgentKeys() });
  const outside = await withAgent(p.b);
  const event = async (body: object) => {
    const answer = await outside.event({ agentId: "a", source: "x", ...body });
    if (answer.status !== 200) throw new Error(await answer.text());
  };
  const hook = async (body: object, query = "") => {
    const answer = await outside.as("POST", `/hooks/claude-code${query}`, { session_id: "s", cwd: "/app", ...body });
    return answer.text();
  };
  const id = async () => (await outside.list())[0]?.dialogId ?? "";
  return { ...p, outside, event, hook, id };
}

test("calls that wait together: one who leaves between them and comes back has the result of each", async () => {
  const p = await phone([
    [call("p1", "run_command", { command: "one" }), call("p2", "run_command", { command: "two" }), ended],
    say("Done."),
  ]);
  const id = await p.begin("Go");
  const { pending_approval: pending } = await p.until(id, "waiting_approval");
  const first = await p.follow(id);
  const last = await first.until((message) => message.type === "waiting_approval" && message.tool_call_id.startsWith("p2."));
  await first.leave();
  for (const tool_call_id of pending) await p.phone("POST", `/api/sessions/${id}/approve`, { tool_call_id, approved: true });
  const { backlog } = await p.until(id, "idle");
  const again = await p.follow(id, `?since=${last && "id" in last ? last.id : ""}`);
  await again.until(({ type }) => type === "assistant");
  expect(given(first, again)).toEqual(backlog.map(({ id: one }) => one).toSorted());
  await again.leave();
});

test("calls of an agent outside that run together: whichever ends last, one who comes back hears of it", async () => {
  const p = await withOutside();
  const tool = (id: string) => ({ name: "Read", category: "read", id });
  await p.event({ type: "tool_start", tool: tool("A") });
  await p.event({ type: "tool_start", tool: tool("B") });
  await p.event({ type: "tool_end", tool: tool("B"), success: true });
  const id = await p.id();
  const first = await p.follow(id);
  await first.until(({ type }) => type === "tool_result");
  const [last] = first.ids.slice(-1);
  expect(last).toBe(events(first).at(-1)?.id);
  await first.leave();
  // Its end arrives after other sections have begun.
  await p.event({ type: "user_input", text: "And?" });
  await p.event({ type: "tool_end", tool: tool("A"), success: true });
  const { backlog } = await p.detail(id);
  const again = await p.follow(id, `?since=${last}`);
  await again.until((message) => message.type === "tool_result" && message.tool_call_id.startsWith("A"));
  expect(given(first, again)).toEqual(backlog.map(({ id: one }) => one).toSorted());
  expect(events(again).map(({ type }) => type)).toEqual(["user_message", "tool_result"]);
  await again.leave();
  // Who asks and who follows from now on are given the same, in the order in which it happened.
  expect(backlog.map(({ type }) => type)).toEqual(["tool_call", "tool_call", "tool_result", "user_message", "tool_result"]);
  const fresh = await p.follow(id);
  await fresh.until((message) => message.type === "tool_result" && message.tool_call_id.startsWith("A"));
  expect(events(fresh)).toEqual(backlog);
  await fresh.leave();
});

test("a browser's EventSource comes back with the id of the last event that it had", async () => {
  const p = await phone([say("Yes.")]);
  const id = await p.begin("Go");
  const { backlog } = await p.until(id, "idle");
  const first = await p.follow(id);
  await first.until(({ type }) => type === "assistant");
  expect(first.ids).toEqual(backlog.map((frame) => frame.id));
  await first.leave();
  const again = await p.followWith(id, { "last-event-id": backlog[0]?.id ?? "" });
  await again.until(({ type }) => type === "assistant");
  expect(events(again)).toEqual(backlog.slice(1));
  await again.leave();
});

test("a session with nine messages of almost a megabyte is followed: its newest events come, and what happens next", async () => {
  const p = await withOutside();
  for (let nth = 0; nth < 9; nth += 1) await p.event({ type: "user_input", text: `${nth} ${"x".repeat(950_000)}` });
  const id = await p.id();
  const stream = await p.follow(id);
  await stream.until((message) => message.type === "user_message" && message.content.startsWith("8 "));
  expect(events(stream).map((frame) => (frame.type === "user_message" ? frame.content[0] : frame.type))).toEqual(["5", "6", "7", "8"]);
  await p.event({ type: "user_input", text: "next" });
  await stream.until((message) => message.type === "user_message" && message.content === "next");
  await stream.leave();
});

test("a reader who takes nothing while megabytes of results come is cut off", async () => {
  const p = await withOutside();
  await p.event({ type: "user_input", text: "Go" });
  const stream = await p.follow(await p.id());
  for (let nth = 0; nth < 90; nth += 1) {
    await p.event({ type: "tool_end", tool: { name: "Read", category: "read", id: `t${nth}` }, success: true, output: "y".repeat(99_000) });
  }
  expect(await stream.until(({ type }) => type === "close")).toMatchObject({ code: 1013 });
});

test("an agent outside that is idle asks for no input", async () => {
  const p = await withOutside();
  await p.event({ type: "user_input", text: "Go" });
  const stream = await p.follow(await p.id());
  await p.event({ type: "agent_idle", reason: "done", response: "All is well." });
  await stream.until(isIdle);
  expect(stream.all.map(({ type }) => type)).toEqual(["connected", "state_change", "user_message", "assistant", "state_change"]);
  expect((await p.detail(await p.id())).pending_input).toEqual([]);
  await stream.leave();
});

test("a call whose arguments the question changes is told of again, so that its approval and its result are of a call that was told", async () => {
  const p = await withOutside();
  const questions = [{ question: "Which?", header: "W", options: [{ label: "Net" }, { label: "Gross" }] }];
  const use = { tool_name: "AskUserQuestion", tool_input: { questions } };
  await p.hook({ hook_event_name: "PreToolUse", tool_use_id: "toolu_1", ...use }, "?tell=1");
  const id = await p.id();
  const stream = await p.follow(id);
  const asked = p.hook({ hook_event_name: "PermissionRequest", ...use });
  await stream.until(({ type }) => type === "waiting_approval");
  await p.phone("POST", `/api/sessions/${id}/input`, { text: "Net" });
  await asked;
  await p.hook({ hook_event_name: "PostToolUse", tool_use_id: "toolu_1", ...use, tool_response: "Net" });
  await stream.until(({ type }) => type === "tool_result");
  const told = stream.all.flatMap((message) => ("tool_call_id" in message ? [[message.type, message.tool_call_id] as const] : []));
  const calls = told.flatMap(([type, name]) => (type === "tool_call" ? [name] : []));
  expect(told.map(([type]) => type)).toEqual(["tool_call", "tool_call", "waiting_approval", "tool_result"]);
  expect(told.slice(2).map(([, name]) => name)).toEqual([calls[1], calls[1]]);
  await stream.leave();
});

test("a call that is asked about again, after its user answered elsewhere, is told of again, and approved here", async () => {
  const p = await withOutside();
  const use = { tool_name: "Bash", tool_input: { command: "npm publish" } };
  const isAsked = ({ type }: SessionMessage) => type === "waiting_approval";
  await p.hook({ hook_event_name: "PreToolUse", tool_use_id: "toolu_1", ...use }, "?tell=1");
  const id = await p.id();
  const stream = await p.follow(id);
  const first = p.hook({ hook_event_name: "PermissionRequest", ...use });
  const asked = await stream.until(isAsked);
  await p.hook({ hook_event_name: "UserPromptSubmit", prompt: "Not yet. Now do it." });
  expect(JSON.parse(await first)).toEqual({});
  const second = p.hook({ hook_event_name: "PermissionRequest", ...use });
  const again = await stream.until(isAsked);
  expect(again).toMatchObject({ tool_name: "Bash", args: use.tool_input });
  expect("id" in (again ?? {}) && "id" in (asked ?? {}) && again?.["id" as never] !== asked?.["id" as never]).toBe(true);
  const { pending_approval: pending } = await p.until(id, "waiting_approval");
  expect(pending).toHaveLength(1);
  await p.phone("POST", `/api/sessions/${id}/approve`, { tool_call_id: pending[0], approved: true });
  expect(await second).toContain('"behavior":"allow"');
  await stream.leave();
});

test("a reader that joins hears of the events after the last 500 alone, also when the status changes", async () => {
  const p = await withOutside();
  for (let nth = 0; nth < 270; nth += 1) {
    await p.event({ type: "tool_start", tool: { name: "Read", category: "read", id: `t${nth}` } });
    await p.event({ type: "tool_end", tool: { name: "Read", category: "read", id: `t${nth}` }, success: true });
  }
  const stream = await p.follow(await p.id());
  await p.event({ type: "agent_idle", reason: "done", response: "All is well." });
  await stream.until(isIdle);
  const told = stream.all.filter(({ type }) => type === "tool_call" || type === "tool_result");
  expect(told).toHaveLength(500);
  await stream.leave();
});

test("what happens is read from the dialog once for all who follow, whoever joins when", async () => {
  const p = await withOutside();
  await p.event({ type: "user_input", text: "Go" });
  const id = await p.id();
  const streams: Stream[] = [];
  const read = vi.spyOn(frames, "framesOfSection");
  const counts: number[] = [];
  const end = (name: string) => p.event({ type: "tool_end", tool: { name: "Read", category: "read", id: name }, success: true });
  await end("t0");
  for (const readers of [1, 2, 3]) {
    const stream = await p.follow(id);
    await stream.until(({ type }) => type === "user_message");
    streams.push(stream);
    read.mockClear();
    await end(`t${readers}`);
    counts.push(read.mock.calls.length);
  }
  read.mockRestore();
  await p.event({ type: "agent_idle", response: "Done." });
  for (const stream of streams) await stream.until(isIdle);
  const { backlog } = await p.detail(id);
  for (const stream of streams) expect(events(stream)).toEqual(backlog);
  for (const stream of streams) await stream.leave();
  expect(counts).toEqual([1, 1, 1]);
});
