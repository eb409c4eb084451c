import type { JsonObject } from "../dialog/model.ts";
import type { ToolCategory } from "../dialog/outside.ts";

/** What an agent outside Vibey can report. */
export const outsideEventTypes = [
  "tool_start",
  "tool_end",
  "agent_start",
  "agent_end",
  "agent_idle",
  "agent_thinking",
  "user_input",
  "notification",
  "subagent_spawn",
  "subagent_end",
] as const;
export type OutsideEventType = (typeof outsideEventTypes)[number];

/** Tools of agents outside that only read, by their names in Claude Code and in others: the ones that a line `> Authorized outside: <tool>` can be about. */
export const outsideReadTools = ["Read", "Glob", "Grep", "LS", "read", "glob", "grep", "list"] as const;

/** A tool of an agent outside Vibey, at work. */
export interface OutsideTool {
  readonly name: string;
  readonly category: ToolCategory;
  /** Of this use of it. */
  readonly id: string;
}

/** `POST /v2/event`, with what was missing filled in. Fields that are not named here stay as they came. */
export interface OutsideEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly type: OutsideEventType;
  readonly agentId: string;
  /** The framework. */
  readonly source: string;
  readonly cwd?: string;
  readonly tool?: OutsideTool;
  readonly input?: JsonObject;
  /** What the tool works on, in a few words. */
  readonly context?: string;
  readonly success?: boolean;
  /** Milliseconds. */
  readonly duration?: number;
  /** What the tool answered: any JSON. */
  readonly output?: unknown;
  readonly error?: string;
  readonly trigger?: string;
  readonly reason?: string;
  /** What the agent said last. */
  readonly response?: string;
  readonly text?: string;
  readonly message?: string;
  readonly level?: string;
  readonly parentAgentId?: string;
  readonly toolUseId?: string;
  readonly metadata?: JsonObject;
}

/** `POST /v2/agents/register`. */
export interface RegisterBody {
  readonly name: string;
  readonly framework: string;
  readonly cwd?: string;
  readonly metadata?: JsonObject;
}

export interface RegisteredAgent {
  readonly agentId: string;
  readonly name: string;
  readonly framework: string;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
  readonly cwd?: string;
  readonly metadata?: JsonObject;
}

/** `GET /v2/messages`: what the user has for an agent. Each message is given once. */
export interface MessagesAnswer {
  readonly ok: true;
  readonly messages: readonly { readonly id: string; readonly text: string }[];
  /** The user asks it to stop. */
  readonly stop: boolean;
}

/** What the routes of outside agents answer to a mistake. */
export interface OutsideRefusal {
  readonly ok: false;
  readonly error: string;
}

/** An agent key, without the key itself. */
export interface AgentKeyView {
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly made: string;
  /** When it was last used in this engine; null: not yet. */
  readonly used: string | null;
}

/** `GET /outside/keys`. */
export interface AgentKeysAnswer {
  readonly keys: readonly AgentKeyView[];
}

/** `POST /outside/keys`: the only answer that holds the key. */
export interface AgentKeyAnswer extends AgentKeysAnswer {
  readonly key: string;
  readonly id: string;
}

/** Frames that viewers of earlier Vibecraft read. */
export type LegacyFrame =
  | { readonly type: "connected"; readonly payload: { readonly sessionId: string } }
  | { readonly type: "sessions"; readonly payload: readonly LegacySession[] }
  | { readonly type: "history"; readonly payload: readonly JsonObject[] }
  | { readonly type: "event"; readonly payload: JsonObject }
  | { readonly type: "pong" };

export interface LegacySession {
  readonly id: string;
  readonly name: string;
  readonly type: "external";
  readonly status: "working" | "waiting" | "idle" | "offline";
  readonly framework: string;
  readonly cwd: string | null;
  /** Milliseconds since 1970. */
  readonly lastActivity: number;
  readonly currentTool: string | null;
}
