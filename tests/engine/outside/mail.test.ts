// The user's messages to agents outside Vibey: stored first, then delivered once, in the answers to their programs.
import { expect, test } from "vitest";
import { soon } from "../../soon.ts";
import { outsideBench, type OutsideBench, withAgent } from "./outside-bench.ts";

const session = { session_id: "s-1", cwd: "/home/me/project", transcript_path: "/x", permission_mode: "default" };
const bash = { ...session, tool_name: "Bash", tool_input: { command: "npm test" } };
const after = { ...bash, hook_event_name: "PostToolUse", tool_response: { stdout: "ok" } };
const words = (text: string) => `The user wrote to you in Vibey:\n\n${text}`;

async function hook(b: OutsideBench, body: object, query = "", agent = "claude-code"): Promise<string> {
  return (await (await b.as("POST", `/hooks/${agent}${query}`, body)).text()).trim();
}
const json = async (...args: Parameters<typeof hook>): Promise<unknown> => JSON.parse(await hook(...args)) as unknown;

async function say(b: OutsideBench, prompt: string): Promise<number> {
  const [record] = await b.list();
  return (await b.ask("PUT", "/dialog", { dialogId: record?.dialogId, prompt })).status;
}
const stop = async (b: OutsideBench) =>
  (await b.ask("PUT", "/dialog", { dialogId: (await b.list())[0]?.dialogId, status: "waiting" })).status;

test.each<[string, string, object, object]>([
  [
    "beside a tool's result",
    "claude-code",
    { ...after, tool_use_id: "t2" },
    { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: words("Use tabs") } },
  ],
  [
    "beside a failure",
    "claude-code",
    { ...bash, hook_event_name: "PostToolUseFailure", error: "no", tool_use_id: "t2" },
    { hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: words("Use tabs") } },
  ],
  [
    "with what its user types",
    "claude-code",
    { ...session, hook_event_name: "UserPromptSubmit", prompt: "hello" },
    { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: words("Use tabs") } },
  ],
  ["in place of its end", "claude-code", { ...session, hook_event_name: "Stop" }, { decision: "block", reason: words("Use tabs") }],
  [
    "to Codex beside a tool's result",
    "codex",
    { ...after, tool_use_id: "t2" },
    { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: words("Use tabs") } },
  ],
  ["to Codex in place of its end", "codex", { ...session, hook_event_name: "Stop" }, { decision: "block", reason: words("Use tabs") }],
  ["to opencode's plug-in", "opencode", { type: "session.idle", properties: { sessionID: "s-1" } }, { messages: ["Use tabs"] }],
])("a message is given %s, once", async (_, agent, body, answer) => {
  const b = await outsideBench();
  const first = agent === "opencode" ? { type: "tool.execute.after", properties: { sessionID: "s-1", tool: "bash", callID: "c" } } : after;
  expect(await json(b, first, "", agent)).toEqual({});
  expect(await say(b, "Use tabs")).toBe(200);
  const { markdown } = await b.record();
  expect(markdown).toMatch(/## User\n> Time: \S+\n> To agent: [0-9a-f]{8}\n\nUse tabs\n/);
  expect(await json(b, body, "", agent)).toEqual(answer);
  expect((await b.record()).markdown.match(/> Handed over: \S+ [0-9a-f]{8}/g)).toHaveLength(1);
  expect(await json(b, body, "", agent)).toEqual({});
  const { events } = (await (await b.ask("GET", `/log?dialog=${(await b.record()).dialogId}`)).json()) as {
    events: { type: string; actor: { kind: string } }[];
  };
  expect(events.filter(({ type }) => type === "message").map(({ actor }) => actor.kind)).toContain("human");
  expect(b.reported).toEqual([]);
});

test("what a sub-agent reports takes no message from its session", async () => {
  const b = await outsideBench();
  await hook(b, after);
  await say(b, "Use tabs");
  expect(await json(b, { ...after, agent_id: "sub", tool_use_id: "t3" })).toEqual({});
  expect(await json(b, { ...after, tool_use_id: "t4" })).toMatchObject({ hookSpecificOutput: {} });
});

test("an agent that takes no messages gets none: nothing is stored that would never arrive", async () => {
  const b = await outsideBench();
  await b.event({ agentId: "s-1", source: "x", type: "user_input", text: "go" });
  expect(await say(b, "Use tabs")).toBe(409);
  expect((await b.record()).markdown).not.toContain("Use tabs");
  expect((await b.record()).outside).toMatchObject({ takesMessages: false, pending: 0 });
});

test("any agent can ask for its messages, and is told to stop", async () => {
  const b = await outsideBench();
  const event = { agentId: "s-1", source: "x" };
  const ask = async (query = "") => JSON.parse(await (await b.as("GET", `/v2/messages?agentId=s-1&source=x${query}`)).text()) as unknown;
  expect((await b.as("GET", "/v2/messages?agentId=s-1")).status).toBe(404);
  expect((await b.as("GET", "/v2/messages")).status).toBe(400);
  await b.event({ ...event, type: "tool_start", tool: { name: "read", category: "read", id: "r" } });
  expect(await ask()).toEqual({ ok: true, messages: [], stop: false });
  expect(await say(b, "One")).toBe(200);
  expect(await say(b, "Two")).toBe(200);
  expect(await stop(b)).toBe(200);
  expect((await b.record()).outside).toMatchObject({ takesMessages: true, pending: 2, stopping: true });
  expect(await ask()).toMatchObject({ ok: true, messages: [{ text: "One" }, { text: "Two" }], stop: true });
  expect(await ask()).toEqual({ ok: true, messages: [], stop: false });
  const waits = ask("&wait=1");
  await soon(async () => expect(await say(b, "Three")).toBe(200));
  expect(await waits).toMatchObject({ messages: [{ text: "Three" }] });
  expect((await b.record()).outside).toMatchObject({ pending: 0, stopping: false });
});

test("Claude Code is stopped behind its next step; a turn that ends before needs no stop", async () => {
  const b = await outsideBench();
  await hook(b, { ...bash, hook_event_name: "PreToolUse", tool_use_id: "t1" }, "?tell=1");
  expect(await stop(b)).toBe(200);
  expect(await json(b, { ...after, tool_use_id: "t1" })).toEqual({ continue: false, stopReason: "Stopped in Vibey" });
  expect(await json(b, { ...after, tool_use_id: "t2" })).toEqual({});
  expect(await stop(b)).toBe(200);
  expect(await json(b, { ...session, hook_event_name: "Stop" })).toEqual({});
  expect((await b.record()).outside).toMatchObject({ stopping: false });
  expect(await json(b, { ...after, tool_use_id: "t3" })).toEqual({});
  // There is nothing to stop in an idle agent.
  await hook(b, { ...session, hook_event_name: "Stop" });
  expect(await stop(b)).toBe(409);
});

test("an idle agent is woken by the program that waits in its place, and by one of several alone", async () => {
  const b = await outsideBench();
  await hook(b, { ...session, hook_event_name: "Stop" });
  const older = hook(b, { ...session, hook_event_name: "Stop" }, "?wait=1");
  const newer = hook(b, { ...session, hook_event_name: "Stop" }, "?wait=1");
  expect(await older).toBe("");
  expect(await say(b, "Run the tests too")).toBe(200);
  expect(await newer).toBe(words("Run the tests too"));
  // The agent works again, so the program waiting for it is released.
  const third = hook(b, { ...session, hook_event_name: "Stop" }, "?wait=1");
  await soon(async () => {
    await hook(b, { ...session, hook_event_name: "UserPromptSubmit", prompt: "hi" });
    expect(await third).toBe("");
  });
});

test("while it asks, the question comes first", async () => {
  const b = await outsideBench();
  await hook(b, after);
  const answer = hook(b, { ...bash, hook_event_name: "PermissionRequest", tool_input: { command: "rm x" } });
  const { calls, dialogId } = await b.asks();
  expect(await say(b, "Use tabs")).toBe(409);
  await b.ask("PUT", "/dialog", { dialogId, decisions: `${calls[0]?.id}: deny`, prompt: "Use git rm" });
  expect(JSON.parse(await answer)).toMatchObject({ hookSpecificOutput: { decision: { behavior: "deny", message: "Use git rm" } } });
});

test("a message outlives the engine, and is given once by the next one", async () => {
  const b = await outsideBench();
  await hook(b, after);
  await say(b, "Use tabs");
  const again = await withAgent(await b.reload(), b);
  expect((await again.record()).outside).toMatchObject({ takesMessages: true, pending: 1 });
  expect(await json(again, { ...after, tool_use_id: "t2" })).toMatchObject({
    hookSpecificOutput: { additionalContext: words("Use tabs") },
  });
  const third = await withAgent(await again.reload(), b);
  expect(await json(third, { ...after, tool_use_id: "t3" })).toEqual({});
});

test("when it can't be noted that a message was given, it is not given", async () => {
  let isFull = false;
  const b = await outsideBench({
    aroundCommit: async (commit, { by }) =>
      isFull && by?.kind === "outside" ? { ok: false, failure: { kind: "full", message: "no room" } } : commit(),
  });
  await hook(b, after);
  await say(b, "Use tabs");
  isFull = true;
  expect(await json(b, { ...session, hook_event_name: "Stop" })).toEqual({});
  isFull = false;
  expect(await json(b, { ...session, hook_event_name: "Stop" })).toMatchObject({ decision: "block" });
});

test("a tool that was reported as begun is the one that is asked about, with just those arguments", async () => {
  const b = await outsideBench();
  const begun = { ...bash, hook_event_name: "PreToolUse", tool_use_id: "toolu_1" };
  expect(await json(b, begun, "?tell=1")).toEqual({});
  const answer = json(b, { ...bash, hook_event_name: "PermissionRequest" });
  const { calls, dialogId } = await b.asks();
  expect(calls).toMatchObject([{ id: "toolu_1", input: { command: "npm test" }, state: "pending" }]);
  await b.ask("PUT", "/dialog", { dialogId, decisions: "toolu_1: approve" });
  expect(await answer).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
  await hook(b, { ...after, tool_use_id: "toolu_1" });
  // Other arguments mean another call, whatever its id.
  const other = json(b, { ...bash, hook_event_name: "PermissionRequest", tool_use_id: "toolu_1", tool_input: { command: "rm -rf /" } });
  expect((await b.asks()).calls).toMatchObject([{ input: { command: "rm -rf /" } }]);
  await hook(b, { ...session, hook_event_name: "UserPromptSubmit", prompt: "stop that" });
  expect(await other).toEqual({});
});

test("a question that names the begun call of another tool is shown as what it asks", async () => {
  const b = await outsideBench();
  await hook(
    b,
    { ...session, hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: "a.py" }, tool_use_id: "toolu_1" },
    "?tell=1",
  );
  void hook(b, { ...bash, hook_event_name: "PermissionRequest", tool_use_id: "toolu_1" });
  expect((await b.asks()).calls).toMatchObject([{ tool: "Bash", input: { command: "npm test" } }]);
  const parts = (await b.record()).messages.flatMap((message) => message.parts);
  expect(parts.find((part) => part.kind === "call")).toMatchObject({ call: { tool: "Read", input: { file_path: "a.py" } } });
  // opencode asks for a permission whose name differs from the tool's: both are shown.
  await b.as("POST", "/hooks/opencode", {
    type: "tool.execute.before",
    properties: { sessionID: "o", tool: "read", callID: "k1", args: { filePath: "/etc/hosts" } },
  });
  const asked = {
    id: "p1",
    sessionID: "o",
    permission: "external_directory",
    patterns: ["/etc/*"],
    metadata: {},
    tool: { messageID: "m", callID: "k1" },
  };
  void b.as("POST", "/hooks/opencode", { type: "permission.asked", properties: asked });
  expect((await b.asks()).calls).toMatchObject([
    { id: "k1", tool: "read", input: { permission: "external_directory", patterns: ["/etc/*"] } },
  ]);
});
