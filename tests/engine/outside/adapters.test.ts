import { expect, test } from "vitest";
import { normalized } from "../../../src/engine/outside/adapters/index.ts";
import { claudeCode } from "../../../src/engine/outside/adapters/claude-code.ts";
import { outsideBench } from "./outside-bench.ts";

const claude = { sessionId: "s", cwd: "/app", timestamp: Date.UTC(2026, 10, 22), id: "e" };

test.each<[string, object, readonly object[] | null]>([
  [
    "a universal event is used as it is",
    { agentId: "a", source: "x", type: "agent_idle", more: 1 },
    [{ agentId: "a", source: "x", type: "agent_idle", more: 1 }],
  ],
  [
    "pre_tool_use",
    { ...claude, type: "pre_tool_use", tool: "Read", toolInput: { file_path: "/app/config.json" }, toolUseId: "t" },
    [
      {
        type: "tool_start",
        agentId: "s",
        source: "claude-code",
        context: "config.json",
        tool: { name: "Read", category: "read", id: "t" },
      },
    ],
  ],
  [
    "a task brings a sub-agent with it",
    { ...claude, type: "pre_tool_use", tool: "Task", toolInput: { description: "look" }, toolUseId: "t" },
    [{ type: "tool_start" }, { type: "subagent_spawn", parentAgentId: "s", toolUseId: "t" }],
  ],
  [
    "post_tool_use",
    { ...claude, type: "post_tool_use", tool: "Bash", toolResponse: { out: 1 }, success: false, duration: 20 },
    [{ type: "tool_end", success: false, duration: 20, output: { out: 1 } }],
  ],
  ["stop", { ...claude, type: "stop", response: "done" }, [{ type: "agent_idle", response: "done" }]],
  ["user_prompt_submit", { ...claude, type: "user_prompt_submit", prompt: "hi" }, [{ type: "user_input", text: "hi" }]],
  ["session_end", { ...claude, type: "session_end", reason: "exit" }, [{ type: "agent_end", reason: "exit" }]],
  ["subagent_stop", { ...claude, type: "subagent_stop" }, [{ type: "subagent_end" }]],
  [
    "Claude Code's own hook",
    { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Grep", tool_input: { pattern: "x", path: "/a" }, tool_use_id: "t" },
    [{ type: "tool_start", context: "x", tool: { category: "search" } }],
  ],
  // As sent by Claude Code 2.1.332.
  [
    "what wakes Claude Code is no prompt of its user's",
    {
      ...claude,
      hook_event_name: "UserPromptSubmit",
      prompt: "<task-notification>\n<summary>Stop hook feedback</summary>\n</task-notification>",
    },
    [{ type: "agent_thinking" }],
  ],
  [
    "it waits for its user",
    { ...claude, hook_event_name: "Notification", message: "Claude is waiting for your input", notification_type: "idle_prompt" },
    [{ type: "agent_idle" }],
  ],
  [
    "it needs permission",
    { ...claude, hook_event_name: "Notification", message: "Claude needs your permission", notification_type: "permission_prompt" },
    [{ type: "notification", message: "Claude needs your permission" }],
  ],
  // As sent by Codex 0.171.0.
  [
    "codex patches a file",
    {
      source: "codex",
      session_id: "c",
      hook_event_name: "PreToolUse",
      tool_name: "apply_patch",
      tool_input: { command: "*** Begin Patch\n*** Add File: src/p.txt\n+hello\n*** End Patch\n" },
      tool_use_id: "t",
    },
    [{ type: "tool_start", context: "p.txt", tool: { category: "edit" } }],
  ],
  // As sent by opencode 1.18.33.
  [
    "a sub-agent of opencode's",
    { type: "session.created", properties: { sessionID: "o2", info: { id: "o2", parentID: "o1", title: "Count (@general subagent)" } } },
    [{ type: "subagent_spawn", agentId: "o2", parentAgentId: "o1" }],
  ],
  [
    "codex",
    { type: "agent-turn-complete", "thread-id": "c", "last-assistant-message": "ok" },
    [{ type: "agent_idle", source: "codex", agentId: "c", response: "ok" }],
  ],
  [
    "opencode",
    {
      type: "tool.execute.after",
      properties: { tool: "edit", sessionID: "o", callID: "c", args: { filePath: "/a/b.ts" }, output: "done" },
    },
    [
      {
        type: "tool_end",
        source: "opencode",
        agentId: "o",
        success: true,
        context: "b.ts",
        tool: { name: "edit", category: "edit", id: "c" },
      },
    ],
  ],
  [
    "vibe, whose durations are seconds",
    { type: "tool_result", session_id: "v", tool_call_id: "c", tool_name: "bash", duration: 1.5, result: "x" },
    [{ type: "tool_end", source: "vibe", agentId: "v", duration: 1500, output: "x", tool: { category: "execute" } }],
  ],
  ["something else", { type: "pre_tool_use" }, null],
  ["nothing", {}, null],
])("%s", (_, raw, wanted) => {
  const events = normalized(raw as Record<string, unknown>);
  if (wanted === null) return expect(events).toBeNull();
  expect(events).toHaveLength(wanted.length);
  return expect(events).toMatchObject(wanted);
});

test.each([
  ["mcp__files__read_file", "read"],
  ["mcp__github__search_issues", "search"],
  ["mcp__web__fetch", "network"],
  ["mcp__db__update_row", "edit"],
  ["mcp__x__frobnicate", "other"],
  ["Unknown", "other"],
])("%s is guessed as %s", (name, category) => expect(claudeCode.categorize(name)).toBe(category));

test("POST /event takes any of them, and refuses what none knows", async () => {
  const b = await outsideBench();
  const post = async (body: object) => {
    const answer = await b.as("POST", "/event", body);
    return [answer.status, await answer.json()];
  };
  expect(await post({ ...claude, type: "user_prompt_submit", prompt: "hello" })).toEqual([200, { ok: true }]);
  expect(await post({ type: "what" })).toEqual([400, { ok: false, error: "Unrecognized event format" }]);
  expect((await b.record()).markdown).toContain("hello");
});

test("a viewer of earlier Vibecraft reads frames of the key's own agents", async () => {
  const b = await outsideBench();
  await b.as("POST", "/event", { ...claude, type: "pre_tool_use", tool: "Bash", toolInput: { command: "ls" }, toolUseId: "t1" });
  const stream = await b.as("GET", "/v2/stream");
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const frames = async (count: number) => {
    for (;;) {
      const blocks = text.split("\n\n").filter((block) => block !== "");
      if (blocks.length >= count)
        return blocks.map((block) => JSON.parse(block.slice("data: ".length)) as { type: string; payload: unknown });
      text += (await reader?.read())?.value ?? "";
    }
  };
  expect((await frames(3)).map(({ type }) => type)).toEqual(["connected", "sessions", "history"]);
  expect((await frames(3))[1]?.payload).toMatchObject([{ id: "s", type: "external", status: "working", currentTool: "Bash" }]);
  expect((await frames(3))[2]?.payload).toMatchObject([{ type: "pre_tool_use", tool: "Bash", toolUseId: "t1" }]);
  await b.as("POST", "/event", { ...claude, id: "e2", type: "post_tool_use", tool: "Bash", toolUseId: "t1", success: true });
  await b.event({ agentId: "s", source: "x", type: "agent_thinking" });
  expect((await frames(5)).slice(3)).toMatchObject([
    { type: "event", payload: { type: "post_tool_use", sessionId: "s", success: true } },
    { type: "event", payload: { type: "agent_thinking" } },
  ]);
  await reader?.cancel();
  expect(await (await b.as("POST", "/v2/stream", { type: "ping" })).json()).toEqual({ type: "pong" });
  expect(await (await b.as("POST", "/v2/stream", { type: "get_history" })).json()).toMatchObject({ type: "history" });
  expect(await (await b.as("POST", "/v2/stream", { type: "voice" })).json()).toBeNull();
  expect(await (await b.as("GET", "/stats")).json()).toMatchObject({ ok: true, toolCounts: { Bash: 1 } });
  expect(await (await b.as("GET", "/sessions")).json()).toMatchObject({ ok: true, sessions: [{ id: "s" }] });
  expect(await (await b.ask("GET", "/health")).json()).toEqual({ ok: true, status: "ok" });
});

test("a sub-agent that a tool starts is told of once, however often the event is sent", async () => {
  const b = await outsideBench();
  const event = { ...claude, id: "e1", type: "pre_tool_use", tool: "Task", toolInput: { description: "look" }, toolUseId: "t1" };
  for (let time = 0; time < 3; time += 1) expect((await b.as("POST", "/event", event)).status).toBe(200);
  expect((await b.record()).markdown.split("> Subagent: ")).toHaveLength(2);
  // Without an id, each is another event.
  expect(normalized({ ...event, id: undefined })?.map(({ id }) => id)).toEqual([undefined, undefined]);
  const ids = normalized({ ...event, id: "x".repeat(200) })?.map(({ id }) => String(id).length);
  expect(ids).toEqual([200, 64]);
});

test("a viewer gets a history of any length, and what happens meanwhile", async () => {
  const b = await outsideBench();
  const output = "x".repeat(90_000);
  for (let nth = 0; nth < 15; nth += 1)
    await b.event({
      agentId: "s",
      source: "x",
      type: "tool_end",
      tool: { name: "Bash", category: "shell", id: `t${nth}` },
      success: true,
      output,
    });
  const opening = b.as("GET", "/v2/stream");
  await b.event({ agentId: "s", source: "x", type: "notification", message: "meanwhile" });
  const reader = (await opening).body?.pipeThrough(new TextDecoderStream()).getReader();
  await b.event({ agentId: "s", source: "x", type: "notification", message: "after it" });
  let text = "";
  while (!text.includes("after it")) text += (await reader?.read())?.value ?? "";
  expect(text.length).toBeGreaterThan(1_000_000);
  expect(text).toContain("meanwhile");
  await reader?.cancel();
});
