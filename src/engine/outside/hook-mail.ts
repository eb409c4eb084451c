import type { JsonObject } from "../../dialog/model.ts";
import { firstText } from "./adapters/adapter.ts";
import { objectIn, type Raw } from "./event.ts";
import type { HookAgent, HookAnswer } from "./hook-agents.ts";
import type { Caller, MailDelivery, Given } from "./mail-delivery.ts";

/** How the answer to a hook can carry text: as additional context, or as a reason why the agent's turn must continue. */
const takes: ReadonlyMap<string, "context" | "reason"> = new Map([
  ["SessionStart", "context"],
  ["UserPromptSubmit", "context"],
  ["PreToolUse", "context"],
  ["PostToolUse", "context"],
  ["PostToolUseFailure", "context"],
  ["Stop", "reason"],
] as const);
/** Hooks after which the agent would continue, so that it can be told to stop. */
const stops: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);
/** The plug-in's events whose answers may carry messages and a stop. The first one in a session shows that the agent takes messages. */
const opencodeTakes: ReadonlySet<string> = new Set(["message.user", "tool.execute.before", "tool.execute.after", "session.idle"]);
/** Codex gives its model this text instead of the tool's result, so that the model ends the turn. */
const stopReasons = {
  "claude-code": "Stopped in Vibey",
  codex: "The user stopped you in Vibey. End your turn now: use no other tool.",
} as const;

/** Answers a hook that only reports, with the user's messages and stop for the agent if the answer can carry them. */
export async function withMail(agent: HookAgent, raw: Raw, delivery: MailDelivery, key: string): Promise<HookAnswer> {
  const caller = callerOf(agent, raw);
  const none: HookAnswer = { kind: "now", body: {} };
  // A subagent's reports go to the record of its session, and messages are never for a subagent.
  if (caller === null || firstText(raw, "agent_id") !== undefined) return none;
  if (agent === "opencode") {
    if (!opencodeTakes.has(firstText(raw, "type") ?? "")) return none;
    return { kind: "now", body: opencodeBody(await delivery.collect(key, caller, { messages: true, stop: true })) };
  }
  const hook = firstText(raw, "hook_event_name") ?? "";
  // Codex doesn't support context before a tool call.
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

/** Answers a waiting agent with the user's next message: as text for a program that wakes the agent, or as JSON for a plug-in. */
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

/** Worded as a report, not as an order from outside, because agents are wary of such orders. */
const inWords = (messages: Given["messages"]): string =>
  messages.length === 0 ? "" : `The user wrote to you in Vibey:\n\n${messages.map(({ text }) => text).join("\n\n")}`;
