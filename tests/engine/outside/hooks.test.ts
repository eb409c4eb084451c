import { expect, test } from "vitest";
import type { DialogAnswer } from "../../../src/protocol/index.ts";
import { soon } from "../../soon.ts";
import { outsideBench, withAgent } from "./outside-bench.ts";

const session = { session_id: "s-1", cwd: "/home/me/project", transcript_path: "/x", permission_mode: "default" };
const edit = {
  ...session,
  hook_event_name: "PermissionRequest",
  tool_name: "Edit",
  tool_input: { file_path: "/home/me/project/a.py", old_string: "1", new_string: "2" },
};
const rule = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "npm test:*" }],
  behavior: "allow",
  destination: "localSettings",
};
const bash = { ...edit, tool_name: "Bash", tool_input: { command: "npm test" }, permission_suggestions: [rule] };
const answerOf = async (response: Promise<Response>): Promise<unknown> => JSON.parse(await (await response).text()) as unknown;

test.each([
  ["approve", undefined, { behavior: "allow" }],
  ["deny", undefined, { behavior: "deny", message: "Denied in Vibey" }],
  ["deny", "Not that file", { behavior: "deny", message: "Not that file" }],
])("%s in the record is Claude Code's answer (%s)", async (word, prompt, decision) => {
  const b = await outsideBench();
  const answer = answerOf(b.as("POST", "/hooks/claude-code", edit));
  const { calls, dialogId } = await b.asks();
  expect(calls[0]).toMatchObject({ tool: "Edit", state: "pending", input: edit.tool_input });
  expect((await b.list())[0]).toMatchObject({ status: "waiting", waitingFor: "leave" });
  const put = { dialogId, decisions: `${calls[0]?.id}: ${word}`, ...(prompt === undefined ? {} : { prompt }) };
  expect((await b.ask("PUT", "/dialog", put)).status).toBe(200);
  expect(await answer).toEqual({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
  expect((await b.record()).markdown).toContain(`Decision: ${word === "approve" ? "approved" : "denied"}`);
  expect(b.requests).toEqual([]);
  expect(b.reported).toEqual([]);
});

test("what came of it is written to the call that was asked about", async () => {
  const b = await outsideBench();
  const answer = answerOf(b.as("POST", "/hooks/claude-code", edit));
  const { calls, dialogId } = await b.asks();
  await b.ask("PUT", "/dialog", { dialogId, decisions: `${calls[0]?.id}: approve` });
  await answer;
  const after = { ...edit, hook_event_name: "PostToolUse", tool_use_id: "toolu_1", tool_response: { ok: true } };
  expect(await answerOf(b.as("POST", "/hooks/claude-code", after))).toEqual({});
  const { messages, status } = await b.record();
  const all = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({ state: "finished", allowedBy: "human", result: { success: true, output: { ok: true } } });
  expect(status).toBe("active");
});

test("always hands back what Claude Code suggested, and the rule is shown to the letter", async () => {
  const b = await outsideBench();
  const answer = answerOf(b.as("POST", "/hooks/claude-code", bash));
  const { calls, dialogId } = await b.asks();
  expect(calls[0]?.rules).toEqual(["allow Bash(npm test:*) in localSettings"]);
  await b.ask("PUT", "/dialog", { dialogId, decisions: `${calls[0]?.id}: approve`, always: [calls[0]?.id] });
  expect(await answer).toEqual({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow", updatedPermissions: [rule] } },
  });
  expect((await b.record()).markdown).not.toContain("Authorized");
});

test("always hands nothing back for a call whose arguments were changed: the rule was made for the agent's own", async () => {
  const b = await outsideBench();
  const answer = answerOf(b.as("POST", "/hooks/claude-code", bash));
  const { calls, dialogId } = await b.asks();
  const id = calls[0]?.id ?? "";
  const updatedInput = { command: "rm -r build" };
  await b.ask("PUT", "/dialog", { dialogId, decisions: `${id}: approve`, always: [id], changes: { [id]: updatedInput } });
  expect(await answer).toEqual({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow", updatedInput } },
  });
});

test.each<[string, (b: Awaited<ReturnType<typeof outsideBench>>, abort: AbortController) => Promise<unknown>]>([
  ["the agent hangs up", async (_, abort) => abort.abort()],
  ["it works on by itself", (b) => b.as("POST", "/hooks/claude-code", { ...edit, hook_event_name: "PostToolUse", tool_use_id: "toolu_1" })],
  ["its user writes on", (b) => b.as("POST", "/hooks/claude-code", { ...session, hook_event_name: "UserPromptSubmit", prompt: "no" })],
])("no one decides here when %s: the call was answered elsewhere, and can't be decided any more", async (_, leave) => {
  const b = await outsideBench();
  const abort = new AbortController();
  const request = new Request("http://engine/hooks/claude-code", {
    method: "POST",
    body: JSON.stringify(edit),
    headers: { "x-agent-key": b.key },
    signal: abort.signal,
  });
  const response = await b.engine.fetch(request);
  const { calls, dialogId } = await b.asks();
  const id = calls[0]?.id ?? "";
  await leave(b, abort);
  expect(JSON.parse(await response.text())).toEqual({});
  const { markdown } = await soon(async () => {
    const record = await b.record();
    expect(record.markdown).toContain("> Answered elsewhere: ");
    return record;
  });
  expect(markdown).not.toContain("Decision:");
  const late = await b.ask("PUT", "/dialog", { dialogId, decisions: `${id}: approve`, hashes: { [id]: calls[0]?.hash } });
  expect(late.status).toBe(409);
});

test("what was asked through an engine that is gone is asked no longer", async () => {
  const b = await outsideBench();
  void b.as("POST", "/hooks/claude-code", edit);
  const { calls, dialogId } = await b.asks();
  const again = await withAgent(await b.reload(), b);
  const id = calls[0]?.id ?? "";
  expect((await again.ask("PUT", "/dialog", { dialogId, decisions: `${id}: approve`, hashes: { [id]: calls[0]?.hash } })).status).toBe(409);
  await again.as("POST", "/hooks/claude-code", { ...session, hook_event_name: "Notification", message: "hello" });
  await again.asks(0);
});

test("when the record can't be stored, Claude Code's own dialog decides", async () => {
  const b = await outsideBench({
    aroundCommit: async (commit, { by }) =>
      by?.kind === "outside" ? { ok: false, failure: { kind: "full", message: "no room" } } : commit(),
  });
  expect(await answerOf(b.as("POST", "/hooks/claude-code", edit))).toEqual({});
});

test("with PreToolUse Vibey decides, and what no one decides is denied", async () => {
  const b = await outsideBench();
  const before = { ...edit, hook_event_name: "PreToolUse", tool_use_id: "toolu_9" };
  const answer = answerOf(b.as("POST", "/hooks/claude-code", before));
  const { calls, dialogId } = await b.asks();
  expect(calls[0]?.id).toBe("toolu_9");
  await b.ask("PUT", "/dialog", { dialogId, decisions: "toolu_9: approve" });
  expect(await answer).toEqual({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", permissionDecisionReason: "Approved in Vibey" },
  });
  const second = answerOf(b.as("POST", "/hooks/claude-code", { ...before, tool_use_id: "toolu_10" }));
  await b.asks();
  await b.as("POST", "/hooks/claude-code", { ...session, hook_event_name: "Stop" });
  expect(await second).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
});

const callsIn = ({ messages }: { readonly messages: DialogAnswer["messages"] }) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));

// Payloads of Claude Code 2.1.332, Codex 0.171.0 and opencode 1.18.33.
test.each<[string, string, object, object, object]>([
  [
    "Codex gives its reason in the question",
    "codex",
    { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "touch c" }, tool_use_id: "t1" },
    {
      session_id: "s",
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: { command: "touch c", description: "Need to write c" },
    },
    {
      session_id: "s",
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: "touch c" },
      tool_response: "",
      tool_use_id: "t1",
    },
  ],
  [
    "Codex cuts the end of a patch",
    "codex",
    {
      session_id: "s",
      hook_event_name: "PreToolUse",
      tool_name: "apply_patch",
      tool_input: { command: "*** Begin Patch\n*** End Patch\n" },
      tool_use_id: "t1",
    },
    {
      session_id: "s",
      hook_event_name: "PermissionRequest",
      tool_name: "apply_patch",
      tool_input: { command: "*** Begin Patch\n*** End Patch" },
    },
    {
      session_id: "s",
      hook_event_name: "PostToolUse",
      tool_name: "apply_patch",
      tool_input: { command: "*** Begin Patch\n*** End Patch\n" },
      tool_response: "Exit code: 0",
      tool_use_id: "t1",
    },
  ],
  [
    "opencode names the call, with another tool and other arguments",
    "opencode",
    {
      type: "tool.execute.before",
      properties: { tool: "write", sessionID: "s", callID: "t1", args: { filePath: "/p/w.txt", content: "hi\n" } },
    },
    {
      type: "permission.asked",
      properties: {
        id: "per_1",
        sessionID: "s",
        permission: "edit",
        patterns: ["w.txt"],
        metadata: { filepath: "/p/w.txt", diff: "+hi" },
        always: ["*"],
        tool: { messageID: "m", callID: "t1" },
      },
    },
    {
      type: "tool.execute.after",
      properties: { tool: "write", sessionID: "s", callID: "t1", args: { filePath: "/p/w.txt", content: "hi\n" }, output: "ok" },
    },
  ],
])("what is asked about is the call that was reported as begun, as it is asked: %s", async (_, agent, before, question, after) => {
  const b = await outsideBench();
  const post = (body: object, query = "") => b.as("POST", `/hooks/${agent}${query}`, body);
  await post(before, "?tell=1");
  const answer = answerOf(post(question));
  const { calls, dialogId } = await b.asks();
  expect(calls).toHaveLength(1);
  const { tool_input: asked, properties } = question as { tool_input?: object; properties?: { metadata: object } };
  expect(calls[0]).toMatchObject({ id: "t1", state: "pending", input: asked ?? properties?.metadata });
  await b.ask("PUT", "/dialog", { dialogId, decisions: "t1: approve" });
  await answer;
  await post(after);
  const all = callsIn(await b.record());
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({ id: "t1", state: "finished", allowedBy: "human", result: { success: true } });
});

test("why a call was denied stands in the record", async () => {
  const b = await outsideBench();
  const answer = answerOf(b.as("POST", "/hooks/claude-code", edit));
  const { calls, dialogId } = await b.asks();
  await b.ask("PUT", "/dialog", { dialogId, decisions: `${calls[0]?.id}: deny`, prompt: "Not that file\n## User" });
  await answer;
  const { markdown } = await b.record();
  expect(markdown).toMatch(new RegExp(`^> Reason: \\S+ ${calls[0]?.id} Not that file ## User$`, "m"));
  expect(markdown.match(/^## User$/gm)).toBeNull();
});

test("a question of Claude Code's to its user is approved with answers, and not without", async () => {
  const b = await outsideBench();
  const questions = [{ question: "Which color?", header: "Color", options: [{ label: "Blue", description: "b" }], multiSelect: false }];
  const asked = { ...session, tool_name: "AskUserQuestion", tool_input: { questions } };
  await b.as("POST", "/hooks/claude-code?tell=1", { ...asked, hook_event_name: "PreToolUse", tool_use_id: "t1" });
  const answer = answerOf(b.as("POST", "/hooks/claude-code", { ...asked, hook_event_name: "PermissionRequest" }));
  const { calls, dialogId } = await b.asks();
  expect(calls[0]).toMatchObject({ id: "t1", input: { questions, answers: { "Which color?": "" } } });
  const put = (answers?: object) =>
    b.ask("PUT", "/dialog", { dialogId, decisions: "t1: approve", ...(answers ? { changes: { t1: { questions, answers } } } : {}) });
  for (const wrong of [undefined, {}, { "Which color?": " " }, { "Which color?": 1 }]) expect((await put(wrong)).status).toBe(422);
  expect((await put({ "Which color?": "Blue" })).status).toBe(200);
  expect(await answer).toMatchObject({
    hookSpecificOutput: { decision: { behavior: "allow", updatedInput: { questions, answers: { "Which color?": "Blue" } } } },
  });
});

test("an agent that says twice that it waits is written down once", async () => {
  const b = await outsideBench();
  const tell = (body: object) => b.as("POST", "/hooks/claude-code", { ...session, ...body });
  await tell({ hook_event_name: "UserPromptSubmit", prompt: "Hello" });
  // Claude Code reports nothing when Esc ends a turn; a minute later it reports that it is waiting.
  const idle = { hook_event_name: "Notification", message: "Claude is waiting for your input", notification_type: "idle_prompt" };
  await tell(idle);
  expect((await b.record()).status).toBe("waiting");
  const { markdown } = await b.record();
  await tell(idle);
  expect((await b.record()).markdown).toBe(markdown);
  await tell({ hook_event_name: "UserPromptSubmit", prompt: "<task-notification>\n</task-notification>" });
  const woken = await b.record();
  expect(woken.status).toBe("active");
  expect(woken.markdown).not.toContain("task-notification");
});

test("opencode's permission is answered once, always or reject", async () => {
  const b = await outsideBench();
  const asked = {
    type: "permission.v2.asked",
    properties: { id: "p1", sessionID: "o-1", permission: "bash", metadata: { command: "ls" }, always: ["ls *"] },
  };
  const answers = [];
  for (const [word, more] of [
    ["approve", {}],
    ["approve", { always: true }],
    ["deny", {}],
  ] as const) {
    const answer = answerOf(b.as("POST", "/hooks/opencode", asked));
    const { calls, dialogId } = await b.asks();
    const id = calls[0]?.id;
    await b.ask("PUT", "/dialog", { dialogId, decisions: `${id}: ${word}`, ...("always" in more ? { always: [id] } : {}) });
    answers.push(await answer);
  }
  expect(answers).toEqual([{ reply: "once" }, { reply: "always" }, { reply: "reject", message: "Denied in Vibey" }]);
});

const cwd = "/home/me/project";
test.each<[string, object, boolean]>([
  ["Read", { file_path: `${cwd}/src/a.py` }, true],
  ["Read", { file_path: `${cwd}/src/a.py`, limit: 5 }, true],
  ["Read", { file_path: `${cwd}/../.ssh/id` }, false],
  ["Read", { file_path: `${cwd}/./a` }, false],
  ["Read", { file_path: `${cwd}//a` }, false],
  ["Read", { file_path: `${cwd}-other/a` }, false],
  ["Read", { file_path: "/etc/passwd" }, false],
  ["Read", { file_path: "~/.ssh/id" }, false],
  ["Read", { file_path: `${cwd}/a`, command: "rm" }, false],
  ["Read", {}, false],
  ["Glob", { pattern: "**/*.py" }, true],
  ["Glob", { pattern: "../**" }, false],
  ["Glob", { pattern: "{../..,src}/*" }, false],
  ["Glob", { pattern: "src/*.{ts,tsx}" }, true],
  ["Glob", { pattern: "{/etc/*,src}" }, false],
  ["Glob", { pattern: "{.,a}{.,b}/*" }, false],
  ["Glob", { pattern: ".{,a}./*" }, false],
  ["Glob", { pattern: "*.py", path: "/etc" }, false],
  // A tool is allowed only by a line that names it.
  ["Grep", { pattern: "key", path: cwd }, false],
  ["LS", { path: cwd }, false],
  ["Edit", { file_path: `${cwd}/a` }, false],
  ["Bash", { command: "ls" }, false],
  ["mcp__files__Read", { file_path: `${cwd}/a` }, false],
])("> Authorized outside: %s with %j runs without asking: %s", async (tool, input, covered) => {
  const lines = ["Read", "Glob", "Edit", "Bash", "mcp__files__Read"].map((name) => `> Authorized outside: ${name}\n`).join("");
  const b = await outsideBench({ welcome: [{ name: "doc-main.md", content: `# Main\n${lines}` }] });
  const answer = answerOf(b.as("POST", "/hooks/claude-code", { ...edit, tool_name: tool, tool_input: input }));
  if (!covered) return void (await b.asks());
  expect(await answer).toEqual({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } });
  expect((await b.record()).markdown).toMatch(/> Allowed outside: \S+ by main: (?:Read|Glob)\n/);
});

test("a record of another working directory, or without one, is covered by nothing", async () => {
  const b = await outsideBench({ welcome: [{ name: "doc-main.md", content: "> Authorized outside: Read\n" }] });
  void b.as("POST", "/hooks/claude-code", { ...edit, cwd: "/", tool_name: "Read", tool_input: { file_path: "/etc/passwd" } });
  await b.asks();
});

test("a relative path, or none, is covered only where the agent still works below the record's folder", async () => {
  const b = await outsideBench({ welcome: [{ name: "doc-main.md", content: "> Authorized outside: Grep\n" }] });
  const grep = (here: string, input: object = {}) =>
    b.as("POST", "/hooks/claude-code", { ...edit, tool_name: "Grep", tool_input: { pattern: "key", ...input }, cwd: here });
  for (const here of [cwd, `${cwd}/src`]) expect(await answerOf(grep(here))).toMatchObject({ hookSpecificOutput: {} });
  for (const here of ["/etc", "/home/me", `${cwd}/../other`]) void grep(here);
  void grep("/etc", { path: "passwd" });
  await b.asks(4);
});
