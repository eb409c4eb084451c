import type { Json, JsonObject } from "../../dialog/model.ts";
import { isJsonObject, stringifyJson } from "../../dialog/json.ts";
import { adapterNamed, withMore } from "./adapters/index.ts";
import { contextOf, firstText } from "./adapters/adapter.ts";
import type { ApprovalAnswer } from "./pending-approvals.ts";
import { objectIn, type Raw, readEvent } from "./event.ts";
import { withMail, waitFor } from "./hook-mail.ts";
import type { HookAgent, HookAnswer } from "./hook-agents.ts";
import type { ExternalAgents } from "./external-agents.ts";
import type { OutsideEventType } from "../../protocol/outside.ts";

/** `ask`: a hook may ask the user for a decision. `tell`: a hook only reports. `wait`: the answer is the user's next message. */
export type HookMode = "ask" | "tell" | "wait";

const nothing: HookAnswer = { kind: "now", body: {} };

/** Handles one hook of an agent: writes its report, or turns its request into a question. A failed write never blocks the agent. */
export async function takeHook(
  { agent, raw, mode }: { readonly agent: HookAgent; readonly raw: Raw; readonly mode: HookMode },
  agents: Pick<ExternalAgents, "ingest" | "mail">,
  key: string,
  now: () => Date,
): Promise<HookAnswer> {
  if (mode === "wait") return waitFor(agent, raw);
  const asked = mode === "tell" ? null : agent === "opencode" ? opencodeQuestion(raw) : hookQuestion(agent, raw);
  if (asked !== null) {
    if (asked.kind === "later") await agents.mail.works(key, asked.question.agentId);
    return asked;
  }
  const event = adapterNamed(agent)?.normalize(raw) ?? null;
  if (event === null) return firstText(raw, "hook_event_name", "type") === undefined ? { kind: "unknown" } : nothing;
  for (const one of withMore(event)) {
    const read = readEvent(one, now(), () => crypto.randomUUID());
    if (!read.ok) continue;
    // The result is ignored, because a failed write must not affect the agent. The agent works again in any case.
    await agents.ingest(key, read.event, read.named);
    if (working.has(read.event.type)) await agents.mail.works(key, read.event.agentId);
  }
  return withMail(agent, raw, agents.mail, key);
}

const working: ReadonlySet<OutsideEventType> = new Set([
  "tool_start",
  "tool_end",
  "user_input",
  "agent_start",
  "agent_end",
  "agent_thinking",
]);

/** The question in a hook of Claude Code or Codex. Null: the hook asks nothing. */
function hookQuestion(agent: "claude-code" | "codex", raw: Raw): HookAnswer | null {
  const hook = firstText(raw, "hook_event_name");
  if (hook !== "PermissionRequest" && hook !== "PreToolUse") return null;
  const [name, agentId] = [firstText(raw, "tool_name"), firstText(raw, "session_id")];
  if (name === undefined || agentId === undefined) return { kind: "unknown" };
  const isQuestions = agent === "claude-code" && hook === "PermissionRequest" && name === askUser;
  const given = objectIn(raw, "tool_input") ?? {};
  const input = isQuestions ? withRoomForAnswers(given) : given;
  const suggestions =
    Array.isArray(raw["permission_suggestions"]) && raw["permission_suggestions"].length > 0 ? raw["permission_suggestions"] : null;
  const question = {
    agentId,
    framework: agent,
    cwd: firstText(raw, "cwd"),
    tool: { name, category: adapterNamed(agent)?.categorize(name) ?? "other", id: firstText(raw, "tool_use_id") ?? crypto.randomUUID() },
    asks: "tool" as const,
    input,
    context: contextOf(input),
    suggestions: hook === "PermissionRequest" ? suggestions : null,
    // Codex denies the call if the arguments are changed.
    takesEdits: agent === "claude-code",
    wantsAnswers: isQuestions,
  };
  return { kind: "later", question, answer: hook === "PermissionRequest" ? permission : beforeUse };
}

/** The tool with which Claude Code asks its user. If approved without answers, it would ask again where it runs. */
const askUser = "AskUserQuestion";

/** Adds an empty answer to each question, in the form that the tool expects. */
function withRoomForAnswers(input: JsonObject): JsonObject {
  const questions = input["questions"];
  const asked = isList(questions)
    ? questions.flatMap((one) => (isJsonObject(one) && typeof one["question"] === "string" ? [one["question"]] : []))
    : [];
  return asked.length === 0 ? input : { ...input, answers: Object.fromEntries(asked.map((question) => [question, ""])) };
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const refusedHere = "Denied in Vibey";

/** If no one decided, the empty answer lets the agent ask its user itself. */
function permission(decided: ApprovalAnswer | null): JsonObject {
  if (decided === null) return {};
  const { approved, message = refusedHere, always, edited } = decided;
  const decision: JsonObject = approved
    ? {
        behavior: "allow",
        ...(edited === undefined ? {} : { updatedInput: edited }),
        ...(always === undefined ? {} : { updatedPermissions: always }),
      }
    : { behavior: "deny", message };
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

/** `PreToolUse` (strict mode). Without a decision, the call is denied. */
function beforeUse(decided: ApprovalAnswer | null): JsonObject {
  const {
    approved,
    message = refusedHere,
    edited,
  }: ApprovalAnswer = decided ?? { approved: false, message: "No one decided in Vibey in time" };
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: approved ? "allow" : "deny",
      permissionDecisionReason: approved ? "Approved in Vibey" : message,
      ...(approved && edited !== undefined ? { updatedInput: edited } : {}),
    },
  };
}

const opencodeAsks: ReadonlySet<string> = new Set(["permission.v2.asked", "permission.asked", "permission.updated"]);

function opencodeQuestion(raw: Raw): HookAnswer | null {
  if (!opencodeAsks.has(firstText(raw, "type") ?? "")) return null;
  const asked: Raw = objectIn(raw, "properties") ?? {};
  const tool: Raw = objectIn(asked, "tool") ?? {};
  const [name, agentId] = [firstText(asked, "permission", "type"), firstText(asked, "sessionID")];
  if (name === undefined || agentId === undefined) return { kind: "unknown" };
  const input = objectIn(asked, "metadata") ?? {};
  const patterns = asked["patterns"] ?? asked["pattern"];
  const always = asked["always"] ?? patterns;
  const question = {
    agentId,
    framework: "opencode",
    cwd: firstText(asked, "cwd") ?? firstText(raw, "cwd"),
    tool: {
      name,
      category: adapterNamed("opencode")?.categorize(name) ?? "other",
      id: firstText(tool, "callID") ?? firstText(asked, "callID", "id") ?? crypto.randomUUID(),
    },
    asks: "permission" as const,
    // The call may already have a block with its tool's name, which can differ from the permission, for example for a file outside the folder.
    input: { ...input, permission: name, ...(patterns === undefined ? {} : { patterns: asJson(patterns) }) },
    context: contextOf(input) ?? (patterns === undefined ? undefined : stringifyJson(asJson(patterns))),
    suggestions: always === undefined ? null : asJson(always),
    takesEdits: false,
    wantsAnswers: false,
  };
  const answer = (decided: ApprovalAnswer | null): JsonObject => {
    if (decided === null) return {};
    if (!decided.approved) return { reply: "reject", message: decided.message ?? refusedHere };
    return { reply: decided.always === undefined ? "once" : "always" };
  };
  return { kind: "later", question, answer };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result of JSON.parse is JSON
const asJson = (value: unknown): JsonObject[string] => value as JsonObject[string];
