// Tests can't run the real agents. These are stand-ins for their hook clients, which send what the real ones were seen to send, against a
// complete engine behind the bridge. docs/agents-outside.md says which versions were tried.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { claudeSettings, codexConfig } from "../../bridge/hook-settings.ts";
import { opencodePlugin } from "../../bridge/opencode-plugin.ts";
import type { AsksAnswer, DialogListing } from "../../src/protocol/index.ts";
import { newKey } from "../engine/outside/outside-bench.ts";
import { soon } from "../soon.ts";
import { claudeCode } from "./stand-ins/claude-code.ts";
import { codex } from "./stand-ins/codex.ts";
import { opencode } from "./stand-ins/opencode.ts";
import { openTown } from "./town.ts";

const cwd = "/home/me/project";

async function town(options: Parameters<typeof openTown>[1] = {}) {
  const made = await openTown([], options);
  const { key } = await newKey(made.b, "laptop");
  const { b } = made;
  const list = async () => (await (await b.ask("GET", "/dialogs?facts=all")).json()) as DialogListing[];
  const put = async (body: object) => (await b.ask("PUT", "/dialog", { dialogId: (await list())[0]?.dialogId, ...body })).status;
  const asks = () =>
    soon(async () => {
      const answer = (await (await b.ask("GET", `/dialog/${(await list())[0]?.dialogId}/asks`)).json()) as AsksAnswer;
      expect(answer.calls).toHaveLength(1);
      return answer.calls[0]?.id ?? "";
    });
  const text = async () => b.text(`vibey/${(await list())[0]?.filename}`);
  return { ...made, key, list, put, asks, text, base: `http://localhost:${made.bridge.agentPort}`, env: { VIBEY_AGENT_KEY: key } };
}

test("the stand-in for Claude Code: a session that asks, is answered, told, woken and stopped", async () => {
  const { base, env, put, asks, text, list, b } = await town();
  const claude = claudeCode(claudeSettings({ base, strict: false, wake: true }), env, { session_id: "s-1", cwd });
  const bash = { tool_name: "Bash", tool_input: { command: "npm test" } };
  const begin = await claude.fire("SessionStart", { source: "startup", model: "opus" });
  expect(begin.errors).toEqual([]);
  expect((await list())[0]?.status).toBe("active");
  await claude.fire("UserPromptSubmit", { prompt: "Fix the prices" });
  expect(await claude.fire("PreToolUse", { ...bash, tool_use_id: "toolu_1" })).toMatchObject({ beforeUse: null, errors: [] });
  const asked = claude.fire("PermissionRequest", { ...bash, permission_suggestions: [] });
  const id = await asks();
  expect(id).toBe("toolu_1");
  await put({ decisions: `${id}: approve` });
  expect(await asked).toMatchObject({ permission: { behavior: "allow" } });
  await put({ prompt: "Use tabs" });
  const after = await claude.fire("PostToolUse", { ...bash, tool_use_id: "toolu_1", tool_response: { stdout: "ok" }, duration_ms: 12 });
  expect(after).toMatchObject({ context: ["The user wrote to you in Vibey:\n\nUse tabs"], stopped: false, errors: [] });
  await claude.fire("PreToolUse", { ...bash, tool_use_id: "toolu_2" });
  await put({ status: "waiting" });
  expect(await claude.fire("PostToolUseFailure", { ...bash, tool_use_id: "toolu_2", error: "exit 1" })).toMatchObject({ stopped: true });
  expect(await claude.fire("Stop", { stop_hook_active: false, last_assistant_message: "Done." })).toMatchObject({
    blocked: null,
    errors: [],
  });
  await soon(async () => {
    expect(claude.background.size).toBe(1);
    // The agent waits once its call has arrived.
    expect(await put({ prompt: "One more thing" })).toBe(200);
  });
  await soon(() => expect(claude.woken).toEqual(["The user wrote to you in Vibey:\n\nOne more thing"]));
  await claude.fire("UserPromptSubmit", {
    prompt: `<task-notification>\n<summary>Stop hook feedback</summary>\n</task-notification>\n<system-reminder>\n${claude.woken[0]}\n</system-reminder>`,
  });
  expect((await list())[0]?.status).toBe("active");
  await claude.fire("SessionEnd", { reason: "other" });
  await Promise.all(claude.background);
  expect(claude.woken).toHaveLength(1);
  // Claude Code reports the text that wakes it as a prompt.
  expect(await text()).not.toContain("task-notification");
  const markdown = await text();
  expect(markdown).toContain("Done.");
  expect(markdown.match(/Tool request: Bash/g)).toHaveLength(2);
  expect((await list())[0]?.status).toBe("done");
  expect(b.reported).toEqual([]);
});

test("the stand-in for Claude Code: without a bridge its own dialog decides, and with --strict nothing runs", async () => {
  const gone = { base: "http://127.0.0.1:9", wake: true };
  const call = { tool_name: "Bash", tool_input: { command: "ls" } };
  const lax = claudeCode(claudeSettings({ ...gone, strict: false }), {}, { session_id: "s", cwd });
  expect(await lax.fire("PreToolUse", { ...call, tool_use_id: "t" })).toMatchObject({ beforeUse: null });
  expect(await lax.fire("PermissionRequest", call)).toMatchObject({ permission: null });
  expect(await lax.fire("Stop")).toMatchObject({ blocked: null });
  await Promise.all(lax.background);
  expect(lax.woken).toEqual([]);
  const strict = claudeCode(claudeSettings({ ...gone, strict: true }), {}, { session_id: "s", cwd });
  expect(await strict.fire("PreToolUse", { ...call, tool_use_id: "t" })).toMatchObject({ beforeUse: { decision: "deny" } });
});

test("the stand-in for Claude Code: with --strict, what no one decides in time is denied", async () => {
  // Minutes pass at once.
  const { base, env, text } = await town({ later: (then, ms) => void setTimeout(then, ms / 2_000) });
  const claude = claudeCode(claudeSettings({ base, strict: true, wake: false }), env, { session_id: "s", cwd });
  const denied = await claude.fire("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t" });
  expect(denied.beforeUse).toEqual({ decision: "deny", reason: "No one decided in Vibey in time" });
  expect(await text()).toContain("> Answered elsewhere: ");
});

test("the stand-in for Codex: what it can't read is never said, and it is held up by nothing", async () => {
  const { base, env, put, asks, text, list, b } = await town();
  const agent = codex(codexConfig({ base, strict: false, wake: false }), env, { session_id: "c-1", cwd });
  expect(agent.events).toEqual([
    "PermissionRequest",
    "PreToolUse",
    "PostToolUse",
    "UserPromptSubmit",
    "SessionStart",
    "Stop",
    "SessionEnd",
  ]);
  expect(await agent.fire("SessionStart", { source: "startup" })).toEqual({ kind: "answer", json: {} });
  const bash = { tool_name: "Bash", tool_input: { command: "ls" } };
  await agent.fire("PreToolUse", { ...bash, tool_use_id: "x1" });
  // The request says why it asks, but doesn't contain the id of the tool's use.
  const asked = agent.fire("PermissionRequest", { tool_name: "Bash", tool_input: { command: "ls", description: "To look" } });
  const id = await asks();
  expect(id).toBe("x1");
  // Codex would deny a call with changed arguments.
  expect(await put({ decisions: `${id}: approve`, changes: { [id]: { command: "ls -a" } } })).toBe(422);
  await put({ decisions: `${id}: approve` });
  expect(await asked).toMatchObject({ kind: "answer", json: { hookSpecificOutput: { decision: { behavior: "allow" } } } });
  await put({ prompt: "Use tabs" });
  expect(await agent.fire("PreToolUse", { ...bash, tool_use_id: "x2" })).toEqual({ kind: "answer", json: {} });
  expect(await agent.fire("PostToolUse", { ...bash, tool_use_id: "x2", tool_response: "ok" })).toMatchObject({
    kind: "answer",
    json: { hookSpecificOutput: { additionalContext: "The user wrote to you in Vibey:\n\nUse tabs" } },
  });
  await put({ prompt: "And tests" });
  expect(await agent.fire("Stop", { stop_hook_active: false, last_assistant_message: "Done" })).toMatchObject({
    json: { decision: "block" },
  });
  expect(await text()).toContain("Done");
  await agent.fire("SessionEnd", { reason: "other" });
  expect((await list())[0]?.status).toBe("done");
  const alone = codex(codexConfig({ base: "http://127.0.0.1:9", strict: false, wake: false }), {}, { session_id: "c-2", cwd });
  expect(await alone.fire("PermissionRequest", bash)).toEqual({ kind: "nothing" });
  const wrong = codex(codexConfig({ base, strict: false, wake: false }), { VIBEY_AGENT_KEY: "vak_wrong" }, { session_id: "c-3", cwd });
  expect(await wrong.fire("PermissionRequest", bash)).toEqual({ kind: "nothing" });
  expect(b.reported).toEqual([]);
});

test.each([true, false])("the stand-in for opencode (its server takes reasons: %s): asks, is told and stopped", async (reasons) => {
  const { base, key, put, asks, text, list, b } = await town();
  process.env["VIBEY_AGENT_KEY"] = key;
  const sessionID = "o-1";
  const { hooks, prompts, aborts, replies } = await opencode(opencodePlugin({ base, strict: false, wake: false }), cwd, reasons, [
    "Looking.",
    "I have listed it.",
  ]);
  const fire = (type: string, properties: object = {}) => hooks.event({ event: { type, properties: { sessionID, ...properties } } });
  await hooks["chat.message"]({ sessionID }, { message: {}, parts: [{ type: "text", text: "Fix it" }] });
  await soon(async () => expect(await text()).toContain("Fix it"));
  await hooks["tool.execute.before"]({ tool: "bash", sessionID, callID: "k1" }, { args: { command: "ls" } });
  const tool = { messageID: "m1", callID: "k1" };
  const properties = { id: "p1", permission: "bash", patterns: ["ls"], metadata: { command: "ls" }, always: ["ls *"], tool };
  const asked = fire("permission.asked", properties);
  // Sending the same question again doesn't create a second one.
  await fire("permission.asked", properties);
  expect(await asks()).toBe("k1");
  await put({ decisions: "k1: approve" });
  await asked;
  expect(replies).toEqual([
    reasons
      ? { to: "/permission/p1/reply", reply: "once", message: undefined }
      : { path: { id: sessionID, permissionID: "p1" }, body: { response: "once" } },
  ]);
  await hooks["tool.execute.after"]({ tool: "bash", sessionID, callID: "k1" }, { title: "", output: "a", metadata: {} });
  await soon(async () => expect(await text()).toContain('"output": "a"'));
  await fire("session.idle");
  expect(await text()).toContain("I have listed it.");
  await soon(async () => expect(await put({ prompt: "Use tabs" })).toBe(200));
  await soon(() => expect(prompts).toEqual(["Use tabs"]));
  // The message that was written here comes back as a message of the agent's user.
  await hooks["chat.message"]({ sessionID }, { message: {}, parts: [{ type: "text", text: "Use tabs" }] });
  await hooks["tool.execute.before"]({ tool: "bash", sessionID, callID: "k2" }, { args: { command: "pwd" } });
  await soon(async () => expect((await list())[0]?.status).toBe("active"));
  await put({ status: "waiting" });
  await hooks["tool.execute.after"]({ tool: "bash", sessionID, callID: "k2" }, { title: "", output: "/", metadata: {} });
  await soon(() => expect(aborts).toEqual([sessionID]));
  expect((await text()).match(/Use tabs/g)).toHaveLength(1);
  await fire("session.deleted");
  expect(b.reported).toEqual([]);
});

test("while it waits, no list of processes shows the key", async () => {
  const { base, key, env, asks, put } = await town();
  const agent = codex(codexConfig({ base, strict: false, wake: false }), env, { session_id: "c", cwd });
  const asked = agent.fire("PermissionRequest", { tool_name: "Bash", tool_input: { command: "ls" } });
  const id = await asks();
  const seen = execFileSync("sh", ["-c", "cat /proc/*/cmdline 2>/dev/null | tr '\\0' ' ' || true"]).toString();
  expect(seen).toContain(`${base}/hooks/codex`);
  expect(seen).not.toContain(key);
  await put({ decisions: `${id}: deny` });
  await asked;
});
