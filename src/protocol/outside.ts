import type { JsonObject } from "../dialog/model.ts";
import type { ToolCategory } from "../dialog/outside.ts";

/** The events that an agent outside Vibey can report. */
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

/** Read-only tools of outside agents, by their names in Claude Code and other programs. A line `> Authorized outside: <tool>` can name only these. */
export const outsideReadTools = ["Read", "Glob", "Grep", "LS", "read", "glob", "grep", "list"] as const;

/** A call of a tool by an agent outside Vibey. */
export interface OutsideTool {
  readonly name: string;
  readonly category: ToolCategory;
  /** The id of this call. */
  readonly id: string;
}

/** `POST /v2/event`, with missing fields filled in. Other fields stay as they came. */
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
  /** In milliseconds. */
  readonly duration?: number;
  /** The tool's output: any JSON. */
  readonly output?: unknown;
  readonly error?: string;
  readonly trigger?: string;
  readonly reason?: string;
  /** The agent's last message. */
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

/** `GET /v2/messages`: the user's messages for an agent. Each message is delivered once. */
export interface MessagesAnswer {
  readonly ok: true;
  readonly messages: readonly { readonly id: string; readonly text: string }[];
  /** Whether the user asks the agent to stop. */
  readonly stop: boolean;
}

/** The error response of the routes for outside agents. */
export interface OutsideRefusal {
  readonly ok: false;
  readonly error: string;
}

/** An agent key, without the key itself. */
export interface AgentKeyView {
  readonly id: string;
  readonly name: string;
  /** In ISO 8601. */
  readonly made: string;
  /** When it was last used with this engine. Null if not yet. */
  readonly used: string | null;
}

/** `GET /outside/keys`. */
export interface AgentKeysAnswer {
  readonly keys: readonly AgentKeyView[];
}

/** `POST /outside/keys`: the only answer that contains the key. */
export interface AgentKeyAnswer extends AgentKeysAnswer {
  readonly key: string;
  readonly id: string;
}

/** Frames for viewers of earlier Vibecraft. */
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
