import type { JsonObject } from "../../dialog/model.ts";
import { firstText } from "./adapters/adapter.ts";
import { objectIn, type Raw } from "./event.ts";
import type { HookAgent, HookAnswer } from "./hook-agents.ts";
import type { Caller, MailDelivery, Given } from "./mail-delivery.ts";

/** What the answer to a hook can hold: context beside what happened, or a reason why the agent's turn is not over. */
const takes: ReadonlyMap<string, "context" | "reason"> = new Map([
  ["SessionStart", "context"],
  ["UserPromptSubmit", "context"],
  ["PreToolUse", "context"],
  ["PostToolUse", "context"],
  ["PostToolUseFailure", "context"],
  ["Stop", "reason"],
] as const);
/** Hooks behind which the agent would work on, so that it can be told to stop. */
const stops: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);
/** Its plug-in can act on any answer. The first one of a session shows that it takes messages. */
const opencodeTakes: ReadonlySet<string> = new Set(["message.user", "tool.execute.before", "tool.execute.after", "session.idle"]);
/** Codex takes the tool's result back and has its model read this in its place, so that the model ends the turn. */
const stopReasons = {
  "claude-code": "Stopped in Vibey",
  codex: "The user stopped you in Vibey. End your turn now: use no other tool.",
} as const;

/** Answers a hook that only tells: with what the user has for the agent, if it can hold that. */
export async function withMail(agent: HookAgent, raw: Raw, delivery: MailDelivery, key: string): Promise<HookAnswer> {
  const caller = callerOf(agent, raw);
  const none: HookAnswer = { kind: "now", body: {} };
  // What a sub-agent reports goes to the record of its session, and no message is for it.
  if (caller === null || firstText(raw, "agent_id") !== undefined) return none;
  if (agent === "opencode") {
    if (!opencodeTakes.has(firstText(raw, "type") ?? "")) return none;
    return { kind: "now", body: opencodeBody(await delivery.collect(key, caller, { messages: true, stop: true })) };
  }
  const hook = firstText(raw, "hook_event_name") ?? "";
  // Codex knows no context before a tool.
  const how = agent === "codex" && hook === "PreToolUse" ? undefined : takes.get(hook);
  if (how === undefined) return none;
  const { messages, stop } = await delivery.collect(key, caller, { messages: true, stop: stops.has(hook) });
  const text = inWords(messages);
  return {
    kind: "now",
    body: {
      ...(stop ? { continue: false, stopReason: stopReasons[agent] } : {}),
      ...(text === "" ? {} : how === "reason" ? { decision: "block", reason: text } : {}),
      ...(text === "" || how === "reason" ? {} : { hookSpecificOutput: { hookEventName: hook, additionalContext: text } }),
    },
  };
}

/** The agent waits for what the user says next: as text for a program that wakes it, as JSON for a plug-in. */
export function waitFor(agent: HookAgent, raw: Raw): HookAnswer {
  const caller = callerOf(agent, raw);
  if (caller === null) return { kind: "unknown" };
  const answer = (given: Given): string => (agent === "opencode" ? JSON.stringify(opencodeBody(given)) : inWords(given.messages));
  return { kind: "wait", caller, type: agent === "opencode" ? "application/json" : "text/plain; charset=utf-8", answer };
}

function callerOf(agent: HookAgent, raw: Raw): Caller | null {
  const properties: Raw = objectIn(raw, "properties") ?? {};
  const agentId = firstText(raw, "session_id") ?? firstText(properties, "sessionID") ?? firstText(objectIn(properties, "info") ?? {}, "id");
  return agentId === undefined || agentId.length > 200 ? null : { agentId, framework: agent, cwd: firstText(raw, "cwd") };
}

const opencodeBody = ({ messages, stop }: Given): JsonObject => ({
  ...(messages.length === 0 ? {} : { messages: messages.map(({ text }) => text) }),
  ...(stop ? { stop: true } : {}),
});

/** Said as what happened, not as an order from outside: an agent is wary of those. */
const inWords = (messages: Given["messages"]): string =>
  messages.length === 0 ? "" : `The user wrote to you in Vibey:\n\n${messages.map(({ text }) => text).join("\n\n")}`;
