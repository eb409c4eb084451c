import type { Actor } from "../fs/actor.ts";

/** The front matter of an agent file, under Vibey's own names. */
export interface AgentFields {
  readonly isActive: boolean;
  readonly displayName: string;
  readonly description: string;
  /** A path in the deed. Null: an initial is shown instead. */
  readonly avatarUrl: string | null;
  /** Null: the default model. */
  readonly model: string | null;
  readonly maxTokens: number | null;
  readonly capabilities: readonly string[];
  /** The tools that the agent may use. Null: all. */
  readonly tools: readonly string[] | null;
  /** Tools that need approval in a new dialog, whatever doc-main.md allows. */
  readonly revoked: readonly string[];
  /** The tools that need approval for each call, whatever is allowed anywhere. */
  readonly escalated: readonly string[];
  /** Seconds after which the user is reminded of an open request. Null: never. */
  readonly asksAgain: number | null;
  /** Patterns of the files that it may read and write, such as `artifacts/**`. Null: all files. */
  readonly reads: readonly string[] | null;
  readonly writes: readonly string[] | null;
  /** Slugs of the agents that it may start. Null: the file doesn't say. */
  readonly agents: readonly string[] | null;
  readonly maxTurns: number | null;
  /** In seconds. */
  readonly timeout: number | null;
  readonly memory: boolean;
  /** How many of the last messages the agent gets. Null: the default. */
  readonly context: number | "all" | null;
}

/** An agent as its file describes it. A file can only narrow what its agent may do: only the user grants permission. */
export interface AgentView extends AgentFields {
  /** The agent's name in mentions and dialogs. */
  readonly slug: string;
  /** The path of the file in the project. */
  readonly path: string;
  /** `yours`: in `vibey/`. `found`: where another program keeps its agents. A found agent never replaces one of yours. */
  readonly place: "yours" | "found";
  /** Used by Vibey itself: no one else can start it. */
  readonly isSystem: boolean;
  /** What could not be read as intended, one sentence each. */
  readonly problems: readonly string[];
  /** Keys that have no meaning for Vibey, each with the reason. They stay in the file. */
  readonly unused: readonly { readonly key: string; readonly why: string }[];
  /** SHA-256 of the file, in hexadecimal. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

/** `GET /agents/profile/:slug`. */
export interface AgentAnswer extends AgentView {
  readonly text: string;
  /** The system prompt. */
  readonly body: string;
}

/** `GET /agents/built-in`: an agent that comes with Vibey. */
export interface BuiltInAgent {
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  /** Tokens per response. */
  readonly maxTokens: number;
  /** Its definition, in the form of a file that could replace it. */
  readonly text: string;
  /** The system prompt. */
  readonly body: string;
  /** Whether one of your files replaces it. */
  readonly isReplaced: boolean;
}

export interface NewAgentBody {
  readonly slug: string;
  readonly text: string;
}

/** Exactly one of the two: the whole text, or changes of the front matter. */
export interface AgentBody {
  readonly text?: string | undefined;
  readonly change?: AgentChange | undefined;
}

/** Null removes a key. Nothing else in the file changes. */
export interface AgentChange {
  readonly display_name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly avatar_url?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly max_tokens?: number | null | undefined;
  readonly capabilities?: readonly string[] | null | undefined;
  readonly is_active?: boolean | null | undefined;
  readonly tools?: readonly string[] | null | undefined;
  readonly agents?: readonly string[] | null | undefined;
  readonly max_turns?: number | null | undefined;
  readonly timeout?: number | null | undefined;
  readonly memory?: boolean | null | undefined;
  readonly context?: number | "all" | null | undefined;
  /** Patterns of files. */
  readonly reads?: readonly string[] | null | undefined;
  readonly writes?: readonly string[] | null | undefined;
  readonly approve_actions?: readonly string[] | null | undefined;
  readonly escalate_actions?: readonly string[] | null | undefined;
  readonly approval_rules?: readonly ApprovalRule[] | null | undefined;
}

/** Calls of the tools that this action stands for need approval. */
export interface ApprovalRule {
  readonly action: string;
  /** Shown but without effect, because there are no roles: the user decides. */
  readonly requires?: "any_member" | "admin" | "specific_user" | undefined;
  /** Seconds after which the user is reminded. */
  readonly timeout?: number | undefined;
}

/** Another program's file, as it was shown to the user. */
export interface AdoptBody {
  /** As a path of the project. */
  readonly path: string;
  /** SHA-256 of the file, in hexadecimal. */
  readonly hash: string;
  /** SHA-256 of your own file of that name, which the copy replaces. Absent if there is none. */
  readonly over?: string | undefined;
}

/** What was written. */
export interface AgentWritten {
  readonly slug: string;
  readonly hash: string;
  readonly problems: readonly string[];
}

/** `GET /agents/profile/:slug/powers`: what the agent may do with a tool in a dialog that the user starts with it now. */
export interface ToolPermissionRow {
  readonly tool: string;
  /** `no`: it doesn't have the tool. `run-some`: patterns let some calls run without asking. */
  readonly may: "no" | "ask" | "ask-always" | "run" | "run-some";
  /** `usual`: the default, by which every call needs approval. */
  readonly because: "file" | "main" | "usual";
  /** Patterns of the files that it may use the tool on. Null: all. */
  readonly within: readonly string[] | null;
  /** The lines of doc-main.md that allow it. The first line is 1. */
  readonly lines: readonly { readonly line: number; readonly value: string }[];
}

/**
 * `GET /agents/tasks`: a task that a message gave to an agent that it mentions. `id` is the dialog in which the agent answers. A message's id
 * consists of its dialog and its number there. A task that waits for the user's approval is `running`. `failed`: the task was stopped or interrupted,
 * or its provider failed.
 */
export interface AgentTask {
  readonly id: string;
  readonly thread_id: string;
  /** The side discussion, or the fork that is summarized. Null: the message is in the thread itself. */
  readonly fork_id: string | null;
  readonly trigger_message_id: string;
  /** The agent's file. */
  readonly agent_config_id: string;
  /** SHA-256 of the agent's definition in its dialog. Null if there is no such dialog. */
  readonly agent_config_version_id: string | null;
  readonly status: "queued" | "running" | "completed" | "failed";
  /** `dive_publish`: the agent summarizes a fork. */
  readonly task_type: "message_response" | "dive_publish";
  readonly input: { readonly prompt: string };
  readonly token_usage: { readonly input_tokens: number; readonly output_tokens: number; readonly model: string } | null;
  /** Set once the answer is in the dialog. */
  readonly output: { readonly messageId: string; readonly responseLength: number } | null;
  /** In ISO 8601. */
  readonly completed_at: string | null;
}

/** `GET /agents/profile/:slug/versions`. */
export interface AgentVersions {
  /** The path of the file in the project. */
  readonly path: string;
  /** The hash of the current file. Null if there is none. */
  readonly now: string | null;
  /** Newest first. */
  readonly versions: readonly AgentVersion[];
  /** Whether there are older versions. */
  readonly more: boolean;
}

export interface AgentVersion {
  /** The commit of the history that created this version. */
  readonly commit: string;
  /** In ISO 8601. */
  readonly time: string;
  readonly by: Actor;
  /** One line that says what was changed. */
  readonly summary: string;
  /** SHA-256 of the definition, as `> Agent:` in a dialog names it. Null: the file was removed. */
  readonly hash: string | null;
}

/** How much runs without asking: 0 nothing, 1 reading, 2 also writing and commands, 3 every tool. */
export type AgentLevel = 0 | 1 | 2 | 3;

/** `GET /agents/levels`. */
export interface LevelsAnswer {
  /** The version of doc-main.md. Null if there is no such file. */
  readonly etag: string | null;
  /** Null: the lines match no level. */
  readonly level: AgentLevel | null;
  readonly levels: readonly LevelLines[];
}

/** The lines of doc-main.md that a level would remove and add. */
export interface LevelLines {
  readonly level: AgentLevel;
  readonly removes: readonly string[];
  readonly adds: readonly string[];
}

export interface LevelBody {
  readonly level: AgentLevel;
  /** From `LevelsAnswer`. */
  readonly etag: string | null;
}

/** `POST /agents/import`. */
export interface AgentImport {
  /** Paths in the project, and the files that they come from. */
  readonly written: readonly { readonly path: string; readonly from: string }[];
  readonly unused: readonly { readonly path: string; readonly why: string }[];
  /** Lines that another program's file suggests and that the user may add to doc-main.md. */
  readonly schedules: readonly string[];
}

/** `GET /agents/schedules`. Times are milliseconds since 1970. */
export interface SchedulesAnswer {
  /** The version of doc-main.md. Null if there is no such file. */
  readonly etag: string | null;
  /** The most agents that schedules start per hour. */
  readonly anHour: number;
  readonly schedules: readonly ScheduleView[];
}

export interface ScheduleView {
  /** The text after `> Schedule: `. */
  readonly value: string;
  /** The value without the time at which it was written. */
  readonly rule: string;
  /** Null if the line is invalid. */
  readonly slug: string | null;
  /** Why it starts nothing. Null if it works. */
  readonly problem: string | null;
  readonly last: { readonly dialogId: string; readonly time: number } | null;
  /** Null: it waits for messages, or starts now. */
  readonly next: number | null;
}

/** Exactly one of `add`, a rule such as `coder every 60m`, and `remove`, the `value` of a line. */
export interface ScheduleBody {
  /** From `SchedulesAnswer`. */
  readonly etag: string | null;
  readonly add?: string | undefined;
  readonly remove?: string | undefined;
}
