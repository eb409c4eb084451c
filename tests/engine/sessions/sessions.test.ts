import { expect, test } from "vitest";
import type { SessionDetail, SessionItem, SessionMessage } from "../../../src/protocol/index.ts";
import { call, ended, outcome, say, stopped } from "../harness.ts";
import { memoryAgentKeys } from "../../../src/engine/outside/key-store.ts";
import { withAgent } from "../outside/outside-bench.ts";
import { soon } from "../../soon.ts";
import { phone, psk } from "./phone.ts";

const asks = (command: string, id = "a") => [call(id, "run_command", { command }), ended];

test("the key: health needs none, all else does; without one set nothing is answered; twenty wrong ones in a minute are enough", async () => {
  const p = await phone();
  const without = (path: string, headers = {}) => p.b.ask("GET", path, undefined, headers);
  expect(await p.said(without("/api/health"))).toBe('200 {"status":"ok"}');
  expect(await p.said(without("/api/state"))).toBe('401 {"detail":"Unauthorized"}');
  expect(await p.said(without(`/api/state?psk=${psk}`))).toBe('200 {"total":0,"running":0,"waiting":0,"idle":0}');
  expect((await without("/ws/events/x")).status).toBe(401);
  const all = Array.from({ length: 21 }, async (_, n) => (await without("/api/state", { "x-psk": `${psk}${n}` })).status);
  expect((await Promise.all(all)).toSorted((one, other) => one - other)).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
  await p.b.ask("DELETE", "/bridge");
  expect((await p.phone("GET", "/api/state")).status).toBe(503);
});

test("a session from its first message to its end, in the shapes of the contract", async () => {
  const p = await phone([asks("ls"), say("There is nothing.")]);
  expect(await p.said(p.phone("GET", "/api/sessions"))).toBe("200 []");
  const id = await p.begin("Look around, and tell me all that you find in this folder.");
  const waiting = await p.until(id, "waiting_approval");
  expect(waiting).toMatchObject({
    session_id: id,
    id,
    title: "Look around, and tell me all that you find in this",
    end_time: null,
    message_count: 2,
    environment: { working_directory: "/" },
    controllable: true,
    source: "vibey",
    state: "waiting_approval",
    pending_approval: [expect.stringMatching(/^a\.[0-9a-f]{32}$/)],
    pending_input: [],
  });
  expect(await p.read("/api/state")).toEqual({ total: 1, running: 0, waiting: 1, idle: 0 });
  const [pending] = waiting.pending_approval;
  expect(waiting.backlog.map(({ type }) => type)).toEqual(["user_message", "tool_call", "waiting_approval"]);
  expect(await p.said(p.phone("POST", `/api/sessions/${id}/approve`, { tool_call_id: pending, approved: true }))).toBe(
    '200 {"status":"ok"}',
  );
  const idle = await p.until(id, "idle");
  expect(p.commands).toEqual(["ls"]);
  expect(idle.backlog.map(({ type }) => type)).toEqual(["user_message", "tool_call", "waiting_approval", "tool_result", "assistant"]);
  expect(idle.backlog.at(-1)).toMatchObject({
    content: "There is nothing.",
    message_id: `${id}/2`,
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
  expect(idle.backlog[3]).toMatchObject({ tool_call_id: pending, tool_name: "run_command", skipped: false, error: null, duration: 0.001 });
  expect(await p.said(p.phone("DELETE", `/api/sessions/${id}`))).toBe(`200 {"session_id":"${id}","status":"disconnected"}`);
  const [item] = await p.read<SessionItem[]>("/api/sessions");
  expect(item).toMatchObject({ session_id: id, status: "disconnected", stats: { tool_calls: 1 } });
  expect(item?.end_time).not.toBeNull();
});

test("an approval is for what was shown: other ids, other hashes and second ones are refused, and nothing runs", async () => {
  const p = await phone([asks("ls"), say("Done.")]);
  const id = await p.begin("Go");
  const [pending] = (await p.until(id, "waiting_approval")).pending_approval;
  const approve = (body: object) => p.said(p.phone("POST", `/api/sessions/${id}/approve`, body));
  const stale = `a.${"0".repeat(32)}`;
  expect(await approve({ tool_call_id: "b", approved: true })).toBe('404 {"detail":"No pending approval for tool_call_id=b"}');
  expect(await approve({ tool_call_id: stale, approved: true })).toMatch(/^409 /);
  expect(await approve({ tool_call_id: pending, hash: "0".repeat(64), approved: true })).toMatch(/^409 /);
  expect(await approve({ tool_call_id: "a", approved: true })).toMatch(/^422 /);
  expect(await approve({ tool_call_id: pending, approved: "yes" })).toBe('422 {"detail":"approved: expected true or false"}');
  expect(await approve({ approved: true })).toMatch(/^422 .*tool_call_id/);
  expect(await approve({ tool_call_id: pending, approved: true, edited_args: { cmd: "ls" } })).toMatch(/^422 /);
  expect(p.commands).toEqual([]);
  expect(await approve({ call_id: "a", approved: false, edited_args: { any: 1 } })).toBe('200 {"status":"ok"}');
  expect(await approve({ tool_call_id: pending, approved: true })).toMatch(/^404 /);
  const { backlog, status } = await p.detail(id);
  expect([status, backlog.at(-1)]).toMatchObject([
    "idle",
    { type: "tool_result", result: null, skipped: true, error: "denied by the user" },
  ]);
  expect([p.commands, p.requests.length]).toEqual([[], 1]);
});

test("with edited arguments the call runs with those and no others, the file says so, and its result begins with what was changed", async () => {
  const p = await phone([asks("rm -rf docs"), say("Done.")]);
  const id = await p.begin("Go");
  const [pending] = (await p.until(id, "waiting_approval")).pending_approval;
  await p.phone("POST", `/api/sessions/${id}/approve`, { tool_call_id: pending, approved: true, edited_args: { command: "ls docs" } });
  const { backlog } = await p.until(id, "idle");
  expect(p.commands).toEqual(["ls docs"]);
  const { markdown } = await p.dialog();
  expect(markdown).toContain(
    '    {"command": "rm -rf docs"}\n\nDecision: approved with changes\n\n    {"command": "ls docs"}\n\nStarted: ',
  );
  const result = backlog.find(({ type }) => type === "tool_result");
  expect(JSON.stringify(result)).toContain('"result":{"changedByUser":{"command":"ls docs"},"success":true');
  expect(backlog.find(({ type }) => type === "tool_call")).toMatchObject({ args: { command: "rm -rf docs" } });
  const shown = p.requests[1]?.dialog.sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  expect(shown?.[0]?.input).toEqual({ command: "rm -rf docs" });
});

test("a message is said once, however often it is sent with its key, also to the next engine", async () => {
  const p = await phone([say("One."), say("Two."), say("Three.")]);
  const id = await p.begin("Go");
  await p.until(id, "idle");
  const send = (text: string, key: string) => p.said(p.phone("POST", `/api/sessions/${id}/message`, { text }, { "idempotency-key": key }));
  expect(await send("More", "k1")).toBe('200 {"status":"queued"}');
  expect(await send("More", "k1")).toBe('200 {"status":"queued"}');
  await p.until(id, "idle");
  const again = await p.b.reload();
  await again.ask("PUT", "/bridge", { key: psk });
  const headers = { "x-psk": psk, "idempotency-key": "k1" };
  expect((await again.ask("POST", `/api/sessions/${id}/message`, { text: "More" }, headers)).status).toBe(200);
  const { backlog } = (await (await again.ask("GET", `/api/sessions/${id}`, undefined, headers)).json()) as {
    backlog: { content?: string }[];
  };
  expect(backlog.map(({ content }) => content)).toEqual(["Go", "One.", "More", "Two."]);
});

test.each([
  ["a question waits for input", [say("Hm.\n\n> Waiting: Which colour?")], "waiting_input", undefined],
  ["a provider's failure", [[stopped({ kind: "error", reason: "overloaded", message: "busy" })]], "error", undefined],
  ["an agent that is over", [say("Done.")], "idle", undefined],
] as const)("status: %s", async (_, replies, status, detail) => {
  const p = await phone(replies as never);
  const id = await p.begin("Go");
  const found = await p.until(id, status);
  expect([found.status, found.detail]).toEqual([status, detail]);
  const input = await p.phone("POST", `/api/sessions/${id}/input`, { text: "Red" });
  expect(input.status).toBe(status === "waiting_input" ? 200 : 404);
});

test("what is refused, and how", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const p = await phone([
    async function* () {
      yield { type: "text", text: "Hm" } as const;
      await held;
      yield ended;
    },
    asks("ls"),
  ]);
  const id = await p.begin("Go");
  const post = (path: string, body: unknown) => p.said(p.phone("POST", path, body));
  expect(await post(`/api/sessions/${id}/message`, { text: "More" })).toMatch(/^409 /);
  release();
  await p.until(id, "idle");
  expect(await post(`/api/sessions/${id}/message`, { content: "More" })).toBe('200 {"status":"queued"}');
  await p.until(id, "waiting_approval");
  expect(await post(`/api/sessions/${id}/message`, { text: "And?" })).toMatch(/^409 .*Approve or deny/);
  expect(await post(`/api/sessions/${id}/message`, {})).toMatch(/^422 /);
  expect(await post(`/api/sessions/${id}/message`, "no json")).toBe('422 {"detail":"body: expected JSON"}');
  expect(await post("/api/sessions/none/message", { text: "Go" })).toBe('404 {"detail":"Session not found"}');
  expect(await post("/api/sessions", { provider: "claude", session_id: id })).toMatch(/^409 /);
  expect(await post("/api/sessions", { session_id: "x" })).toMatch(/^422 /);
  expect(await post("/api/sessions", { provider: "none" })).toMatch(/^422 /);
  expect((await p.phone("POST", "/api/sessions", { provider: "claude", session_id: "20260228-120000-mine" })).status).toBe(201);
  expect((await p.phone("POST", "/api/push/subscribe", {})).status).toBe(501);
  expect((await p.phone("GET", "/api/sessions?limit=0")).status).toBe(422);
  expect((await p.read<SessionItem[]>("/api/sessions?limit=1")).length).toBe(1);
});

test("a stream: connected, how it is, what was, then each as it happens; what was live is what is read again; it ends with the session", async () => {
  const p = await phone([asks("ls"), say("Done."), say("Bye.")]);
  const id = await p.begin("Go");
  const first = await p.until(id, "waiting_approval");
  const stream = await p.follow(id);
  await stream.until(({ type }) => type === "waiting_approval");
  expect(stream.all.map(({ type }) => type)).toEqual(["connected", "state_change", "user_message", "tool_call", "waiting_approval"]);
  await p.phone("POST", `/api/sessions/${id}/approve`, { tool_call_id: first.pending_approval[0], approved: true });
  await stream.until((message) => message.type === "state_change" && message.status === "idle");
  const { backlog } = await p.detail(id);
  const events = stream.all.filter((message) => "id" in message);
  expect(events).toEqual(backlog);
  const later = await p.follow(id, `?since=${backlog[1]?.id}&deltas=1`);
  await later.until(({ type }) => type === "assistant");
  expect(later.all.filter((message) => "id" in message)).toEqual(backlog.slice(2));
  await p.phone("POST", `/api/sessions/${id}/message`, { text: "Bye" });
  const delta = await later.until(({ type }) => type === "assistant_delta");
  expect(delta).toMatchObject({ content: "Bye." });
  await p.until(id, "idle");
  await p.phone("DELETE", `/api/sessions/${id}`);
  expect(await stream.until(({ type }) => type === "close")).toMatchObject({ code: 4410 });
  expect(stream.all.at(-2)).toMatchObject({ type: "state_change", status: "disconnected" });
  expect(await stream.until(() => false)).toBeUndefined();
  await later.leave();
  expect(p.reported).toEqual([]);
});

test("an agent outside is a session by its own events: what it asks is approved here, what is said to it arrives, and it ends", async () => {
  const p = await phone([], { agentKeys: memoryAgentKeys() });
  const outside = await withAgent(p.b);
  const hook = async (body: object, query = "") =>
    (await outside.as("POST", `/hooks/claude-code${query}`, { session_id: "s", cwd: "/app", ...body })).text();
  await hook({ hook_event_name: "UserPromptSubmit", prompt: "Fix it" });
  const only = async () => (await p.read<SessionItem[]>("/api/sessions"))[0];
  const id = (await only())?.id ?? "";
  expect(await only()).toMatchObject({ status: "running", title: "Fix it", controllable: true, source: "claude-code" });
  const ask = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "ls" } };
  const answer = hook(ask);
  const { pending_approval: pending } = await p.until(id, "waiting_approval");
  expect(pending).toHaveLength(1);
  expect((await only())?.status).toBe("waiting_approval");
  const approve = { tool_call_id: pending[0], approved: true, edited_args: { command: "ls -a" } };
  expect(await p.said(p.phone("POST", `/api/sessions/${id}/approve`, approve))).toBe('200 {"status":"ok"}');
  expect(await answer).toContain('"updatedInput":{"command":"ls -a"}');
  expect((await p.until(id, "running")).pending_approval).toEqual([]);
  await hook({ ...ask, hook_event_name: "PreToolUse", tool_use_id: "t2", tool_name: "Read" }, "?tell=1");
  // A call that the agent began without asking waits for no one.
  expect((await p.detail(id)).pending_approval).toEqual([]);
  expect(await p.said(p.phone("POST", `/api/sessions/${id}/message`, { text: "Use tabs" }))).toBe('200 {"status":"queued"}');
  expect(await hook({ hook_event_name: "Stop" })).toContain("Use tabs");
  // A question with choices is answered like any other, and the backlog shows it as it arrived live.
  const questions = [{ question: "Which price?", header: "Price", options: [{ label: "Net" }, { label: "Gross" }] }];
  const chosen = hook({ ...ask, tool_name: "AskUserQuestion", tool_input: { questions } });
  const asked = await p.until(id, "waiting_approval");
  expect(asked.pending_input).toHaveLength(1);
  expect(asked.backlog.at(-1)).toMatchObject({ type: "waiting_input", prompt: "Which price?", options: ["Net", "Gross"] });
  // A call that began without asking here is no question.
  const approvals = ({ backlog }: SessionDetail) => backlog.filter(({ type }) => type === "waiting_approval");
  expect(approvals(asked)).toMatchObject([{ tool_name: "Bash" }, { tool_name: "AskUserQuestion" }]);
  expect(await p.said(p.phone("POST", `/api/sessions/${id}/input`, { text: "Gross" }))).toBe('200 {"status":"ok"}');
  expect(await chosen).toContain('"answers":{"Which price?":"Gross"}');
  expect(await p.said(p.phone("POST", `/api/sessions/${id}/input`, { text: "Net" }))).toMatch(/^404 /);
  const left = hook({ ...ask, tool_input: { command: "pwd" } });
  const before = approvals(await p.until(id, "waiting_approval"));
  await hook({ hook_event_name: "SessionEnd" });
  expect(await left).toContain("{}");
  expect(approvals(await p.detail(id)).map((frame) => frame.id)).toEqual(before.map((frame) => frame.id));
  expect(await p.detail(id)).toMatchObject({ status: "disconnected", detail: "ended", controllable: false });
  expect((await only())?.status).toBe("disconnected");
});

test("a session that was closed and is continued on the screen is one like any other: what it asks is listed", async () => {
  const p = await phone([say("Done."), asks("ls"), say("Bye.")]);
  const id = await p.begin("Go");
  await p.until(id, "idle");
  await p.phone("DELETE", `/api/sessions/${id}`);
  expect(await p.detail(id)).toMatchObject({ status: "disconnected", detail: "closed" });
  await (await p.b.ask("PUT", "/dialog", { dialogId: id, prompt: "And now?" })).text();
  const waiting = await p.until(id, "waiting_approval");
  expect(waiting.pending_approval).toHaveLength(1);
  expect(await p.read("/api/state")).toMatchObject({ waiting: 1 });
});

test("an agent outside is stopped with its next step; one that rests, or has ended, has nothing to stop", async () => {
  const p = await phone([], { agentKeys: memoryAgentKeys() });
  const outside = await withAgent(p.b);
  const hook = async (name: string, query = "") =>
    (await outside.as("POST", `/hooks/claude-code${query}`, { ...session, hook_event_name: name })).text();
  const session = { session_id: "s", cwd: "/app", tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t1" };
  await hook("PreToolUse", "?tell=1");
  const id = (await outside.list())[0]?.dialogId ?? "";
  const stop = () => p.said(p.phone("DELETE", `/api/sessions/${id}`));
  expect(await stop()).toBe(`202 {"session_id":"${id}","status":"running"}`);
  expect(await hook("PostToolUse")).toContain('"continue":false');
  await hook("Stop");
  expect(await stop()).toMatch(/^503 /);
  await hook("SessionEnd");
  expect(await stop()).toBe(`200 {"session_id":"${id}","status":"disconnected"}`);
});

test("what an agent outside asked through an engine that is gone waits for no one, also while no agent is there", async () => {
  const p = await phone([], { agentKeys: memoryAgentKeys() });
  const outside = await withAgent(p.b);
  const ask = { session_id: "s", cwd: "/app", hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "ls" } };
  void outside.as("POST", "/hooks/claude-code", ask);
  const { dialogId: id } = await outside.asks();
  const [pending] = (await p.detail(id)).pending_approval;
  const again = await p.b.reload();
  await again.ask("PUT", "/bridge", { key: psk });
  const json = async (path: string) => (await again.ask("GET", path, undefined, { "x-psk": psk })).json();
  await soon(async () => expect(await json("/api/state")).toEqual({ total: 1, running: 1, waiting: 0, idle: 0 }));
  expect(await json(`/api/sessions/${id}/state`)).toMatchObject({ status: "running", pending_approval: [] });
  const body = { tool_call_id: pending, approved: true };
  const answer = await again.ask("POST", `/api/sessions/${id}/approve`, body, { "x-psk": psk });
  expect([answer.status, await answer.text()]).toEqual([404, `{"detail":"No pending approval for tool_call_id=${pending}"}`]);
});

test("mistakes read as each contract says, on paths and with methods that there are not; HEAD answers without a body", async () => {
  const p = await phone([], { agentKeys: memoryAgentKeys() });
  const outside = await withAgent(p.b);
  const { said, phone: ask } = p;
  expect(await said(ask("GET", "/api/nope"))).toBe('404 {"detail":"Not found"}');
  expect(await said(ask("GET", "/api/sessions/"))).toBe('404 {"detail":"Not found"}');
  expect(await said(ask("POST", "/api/state"))).toBe('405 {"detail":"Method POST not allowed"}');
  expect(await said(outside.as("GET", "/v2/nope"))).toBe('404 {"ok":false,"error":"Not found"}');
  expect(await said(outside.as("GET", "/v2/event"))).toBe('405 {"ok":false,"error":"Method GET not allowed"}');
  expect(await said(ask("GET", "/eventful"))).toBe('404 {"error":"Not found"}');
  expect(await said(ask("HEAD", "/api/sessions"))).toBe("200 ");
  expect(await said(p.b.ask("HEAD", "/api/sessions"))).toBe("401 ");
  const id = await p.begin("Go");
  expect(await said(ask("HEAD", `/ws/events/${id}`))).toBe("200 ");
});

test("another message with the key of an earlier one is refused, and not taken for it", async () => {
  const p = await phone([say("One."), say("Two."), say("Three.")], { agentKeys: memoryAgentKeys() });
  const id = await p.begin("Go");
  await p.until(id, "idle");
  const send = (to: string, text: string) => p.said(p.phone("POST", `/api/sessions/${to}/message`, { text }, { "idempotency-key": "1" }));
  expect(await send(id, "More")).toBe('200 {"status":"queued"}');
  await p.until(id, "idle");
  expect(await send(id, "More")).toBe('200 {"status":"queued"}');
  expect(await send(id, "Less")).toMatch(/^422 \{"detail":"This Idempotency-Key was that of another message/);
  expect(p.requests).toHaveLength(2);
  // The same for an outside agent.
  const outside = await withAgent(p.b);
  const hook = (name: string) =>
    outside.as("POST", "/hooks/claude-code", { session_id: "s", cwd: "/app", hook_event_name: name, prompt: "Go" });
  await hook("UserPromptSubmit");
  const record = (await outside.list()).find(({ dialogId }) => dialogId !== id)?.dialogId ?? "";
  expect(await send(record, "Use tabs")).toBe('200 {"status":"queued"}');
  expect(await send(record, "Use tabs")).toBe('200 {"status":"queued"}');
  expect(await send(record, "Use spaces")).toMatch(/^422 /);
  const text = await (await hook("Stop")).text();
  expect([text.split("Use tabs").length, text.includes("spaces")]).toEqual([2, false]);
});

test("an answer that names its question is for that one: when another one is open it is refused", async () => {
  const p = await phone([say("> Waiting: Which colour?"), say("Fine.")], { agentKeys: memoryAgentKeys() });
  const id = await p.begin("Go");
  const [question] = (await p.until(id, "waiting_input")).pending_input;
  const answer = (to: string, body: object) => p.said(p.phone("POST", `/api/sessions/${to}/input`, { text: "Net", ...body }));
  expect(await answer(id, { request_id: "something-else" })).toMatch(/^409 /);
  expect(await answer(id, { message_id: question })).toBe('200 {"status":"ok"}');
  const outside = await withAgent(p.b);
  const ask = (text: string) =>
    outside.as("POST", "/hooks/claude-code", {
      session_id: "s",
      cwd: "/app",
      hook_event_name: "PermissionRequest",
      tool_name: "AskUserQuestion",
      tool_input: { questions: [{ question: text, header: "H", options: [{ label: "Net" }, { label: "Gross" }] }] },
    });
  const first = ask("Which price?");
  const { dialogId: record } = await soon(async () => {
    const found = (await outside.list()).find((one) => one.dialogId !== id);
    if (!found) throw new Error("no record");
    return found;
  });
  const asked = await p.until(record, "waiting_approval");
  const [old] = asked.pending_input;
  expect(asked.backlog.at(-1)).toMatchObject({ type: "waiting_input", message_id: old });
  expect(await answer(record, { request_id: old })).toBe('200 {"status":"ok"}');
  await first;
  const second = ask("Delete all?");
  const [open] = (await p.until(record, "waiting_approval")).pending_input;
  expect(await answer(record, { request_id: old })).toMatch(/^409 /);
  expect(await answer(record, { request_id: open })).toBe('200 {"status":"ok"}');
  expect(await (await second).text()).toContain('"Delete all?":"Net"');
});

test("the list has every session; pages of it miss none and repeat none, whatever happens between them", async () => {
  const p = await phone([], { answer: say("Yes.") });
  const id = (nth: number) => `20260228-1200${String(nth).padStart(2, "0")}-s`;
  for (let nth = 0; nth < 60; nth += 1) await p.phone("POST", "/api/sessions", { provider: "claude", session_id: id(nth) });
  for (let nth = 0; nth < 60; nth += 1)
    await p.phone("POST", "/api/sessions", { provider: "claude", session_id: id(nth).replace("-1200", "-1300") });
  expect(await p.read<SessionItem[]>("/api/sessions")).toHaveLength(120);
  const seen: string[] = [];
  for (let last = ""; ; ) {
    const page = await p.read<SessionItem[]>(`/api/sessions?limit=50${last === "" ? "" : `&before=${last}`}`);
    seen.push(...page.map((item) => item.id));
    last = seen.at(-1) ?? "";
    if (page.length < 50) break;
    // Writes to the oldest session, and deletes a listed one.
    await p.begin("Another");
    await p.phone("POST", `/api/sessions/${id(0)}/message`, { text: "Hm?" });
    await p.until(id(0), "idle");
    await p.b.ask("DELETE", `/file/dialog-${last}-waiting.md`);
  }
  expect(seen.length).toBe(120);
  expect(new Set(seen).size).toBe(120);
  expect(await p.said(p.phone("GET", "/api/sessions?before=nothing"))).toMatch(/^422 /);
});

test("the list says of a long session what it says of others", async () => {
  const p = await phone([], { agentKeys: memoryAgentKeys() });
  const outside = await withAgent(p.b);
  const hook = (body: object) => outside.as("POST", "/hooks/claude-code", { session_id: "s", cwd: "/app", ...body });
  await hook({ hook_event_name: "UserPromptSubmit", prompt: "Fix it" });
  for (let nth = 0; nth < 12; nth += 1) {
    const use = { tool_name: "Read", tool_use_id: `t${nth}`, tool_input: {} };
    await hook({ hook_event_name: "PostToolUse", ...use, tool_response: `\nTool request: x [y]\n${"y".repeat(99_000)}` });
  }
  await hook({ hook_event_name: "UserPromptSubmit", prompt: "And?\n\nTool request: Read [t99]" });
  // The next engine doesn't open an idle session.
  await hook({ hook_event_name: "Stop" });
  const before = (await p.read<SessionItem[]>("/api/sessions"))[0];
  const again = await p.b.reload();
  await again.ask("PUT", "/bridge", { key: psk });
  const list = (await (await again.ask("GET", "/api/sessions", undefined, { "x-psk": psk })).json()) as SessionItem[];
  expect(before).toMatchObject({ title: "Fix it", source: "claude-code", controllable: true, message_count: 4, stats: { tool_calls: 12 } });
  expect(list).toEqual([{ ...before, status: list[0]?.status }]);
});

test("of two calls, the second one is approved while the first one runs", async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const p = await phone(
    [[call("p1", "run_command", { command: "one" }), call("p2", "run_command", { command: "two" }), ended], say("Done.")],
    {
      async run(command) {
        if (command === "one") await finished;
        return outcome(`${command}\n`);
      },
    },
  );
  const id = await p.begin("Go");
  const { pending_approval: pending } = await p.until(id, "waiting_approval");
  const approve = (nth: number) => p.said(p.phone("POST", `/api/sessions/${id}/approve`, { tool_call_id: pending[nth], approved: true }));
  expect(await approve(0)).toMatch(/^200 /);
  const now = await p.until(id, "running");
  expect([now.pending_approval, now.backlog.filter(({ type }) => type === "waiting_approval")]).toMatchObject([pending.slice(1), [{}, {}]]);
  expect(await approve(1)).toMatch(/^200 /);
  expect((await p.detail(id)).pending_approval).toEqual([]);
  finish();
  expect((await p.until(id, "idle")).backlog.flatMap((frame) => (frame.type === "tool_result" ? [frame.tool_call_id] : []))).toEqual(
    pending,
  );
});

test("a session that was closed while it asked is continued once its call is decided", async () => {
  const p = await phone([asks("ls"), say("Done."), say("Red it is.")]);
  const id = await p.begin("Go");
  const { pending_approval: pending } = await p.until(id, "waiting_approval");
  await p.phone("DELETE", `/api/sessions/${id}`);
  expect(await p.detail(id)).toMatchObject({ status: "disconnected", pending_approval: [] });
  expect(await p.said(p.phone("POST", `/api/sessions/${id}/message`, { text: "Red" }))).toMatch(/^409 .*Approve or deny/);
  const denied = { tool_call_id: pending[0], approved: false };
  expect(await p.said(p.phone("POST", `/api/sessions/${id}/approve`, denied))).toBe('200 {"status":"ok"}');
  expect(await p.said(p.phone("POST", `/api/sessions/${id}/message`, { text: "Red" }))).toBe('200 {"status":"queued"}');
  await p.until(id, "idle");
});

test("a call that asks while another one of its response runs unasked is told once, also to one who joins then", async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const calls = [call("p1", "run_command", { command: "one" }), call("p2", "write_file", { path: "a.txt", content: "a" }), ended];
  const p = await phone([calls, say("Done.")], {
    welcome: [{ name: "doc-main.md", content: "> Authorized: run_command\n" }],
    async run() {
      await finished;
      return outcome("ran\n");
    },
  });
  const id = await p.begin("Go");
  const first = await p.follow(id);
  const isAsked = ({ type }: SessionMessage) => type === "waiting_approval";
  const asked = await first.until(isAsked);
  expect(await p.detail(id)).toMatchObject({ status: "running", pending_approval: [expect.stringMatching(/^p2\./)] });
  const second = await p.follow(id);
  finish();
  for (const stream of [first, second]) {
    await stream.until((message) => message.type === "state_change" && message.status === "waiting_approval");
    expect(stream.all.filter(isAsked)).toEqual([asked]);
  }
});
