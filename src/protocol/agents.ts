import type { Actor } from "../fs/actor.ts";

/** What the front matter of an agent file says, under Vibey's own names for it. */
export interface AgentFields {
  readonly isActive: boolean;
  readonly displayName: string;
  readonly description: string;
  /** A path in the deed; null: an initial stands for it. */
  readonly avatarUrl: string | null;
  /** null: the default. */
  readonly model: string | null;
  readonly maxTokens: number | null;
  readonly capabilities: readonly string[];
  /** What it may ask for; null: all tools. */
  readonly tools: readonly string[] | null;
  /** Tools that the file wants to ask in a new dialog, whatever main allows. */
  readonly revoked: readonly string[];
  /** Those of them of which each use asks, whatever is allowed anywhere. */
  readonly escalated: readonly string[];
  /** Seconds after which the user is told again that a request waits; null: never. */
  readonly asksAgain: number | null;
  /** Patterns of the files that it may read, and write, such as `artifacts/**`; null: all. */
  readonly reads: readonly string[] | null;
  readonly writes: readonly string[] | null;
  /** Slugs of the agents that it may start; null: the file doesn't say. */
  readonly agents: readonly string[] | null;
  readonly maxTurns: number | null;
  /** Seconds. */
  readonly timeout: number | null;
  readonly memory: boolean;
  /** How many of the last messages it is given; null: the default. */
  readonly context: number | "all" | null;
}

/** An agent as a file describes it. What a file says only narrows what its agent may do: permission comes from the user alone. */
export interface AgentView extends AgentFields {
  /** What it is called by. */
  readonly slug: string;
  /** The file, as a path of the project. */
  readonly path: string;
  /** `yours`: in `vibey/`. `found`: where another program keeps its agents; a found agent never takes the place of one of yours. */
  readonly place: "yours" | "found";
  /** Vibey's own: no one starts it. */
  readonly isSystem: boolean;
  /** What could not be read as it was meant, a sentence each. */
  readonly problems: readonly string[];
  /** Keys that mean nothing here, each with the reason. They stay in the file. */
  readonly unused: readonly { readonly key: string; readonly why: string }[];
  /** SHA-256 of the file, hexadecimal. */
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
  /** Tokens of a response. */
  readonly maxTokens: number;
  /** Its definition, as a file that takes its place could say it. */
  readonly text: string;
  /** The system prompt. */
  readonly body: string;
  /** A file of yours takes its place. */
  readonly isReplaced: boolean;
}

export interface NewAgentBody {
  readonly slug: string;
  readonly text: string;
}

/** One of the two: the whole text, or keys of the front matter. */
export interface AgentBody {
  readonly text?: string | undefined;
  readonly change?: AgentChange | undefined;
}

/** null takes a key away. Nothing else in the file changes. */
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

/** A use of the tools that this action means needs approval. */
export interface ApprovalRule {
  readonly action: string;
  /** Shown and without effect while there are no roles: the user decides. */
  readonly requires?: "any_member" | "admin" | "specific_user" | undefined;
  /** Seconds after which the user is told again. */
  readonly timeout?: number | undefined;
}

/** A file of another program, as it was shown. */
export interface AdoptBody {
  /** As a path of the project. */
  readonly path: string;
  /** SHA-256 of the file, hexadecimal. */
  readonly hash: string;
  /** SHA-256 of yours of that name, which it replaces. Left out: there is none. */
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
  /** `no`: it doesn't have the tool. `run-some`: some calls run without asking, as patterns allow them. */
  readonly may: "no" | "ask" | "ask-always" | "run" | "run-some";
  /** `usual`: every use needs approval where nothing says otherwise. */
  readonly because: "file" | "main" | "usual";
  /** Patterns of the files that it may use the tool on; null: all. */
  readonly within: readonly string[] | null;
  /** The lines of doc-main.md that allow it; the first line is 1. */
  readonly lines: readonly { readonly line: number; readonly value: string }[];
}

/**
 * `GET /agents/tasks`: a task that a message gave an agent which it mentions. `id` is the dialog in which it answers; a message's id is its dialog and
 * its number there. A task that waits for the user's approval is `running`; `failed`: it was stopped, broke off, or its provider failed.
 */
export interface AgentTask {
  readonly id: string;
  readonly thread_id: string;
  /** The side discussion, or the fork that is summed up; null: the message stands in the thread itself. */
  readonly fork_id: string | null;
  readonly trigger_message_id: string;
  /** The agent's file. */
  readonly agent_config_id: string;
  /** SHA-256 of the agent's definition as its dialog holds it; null: there is no such dialog. */
  readonly agent_config_version_id: string | null;
  readonly status: "queued" | "running" | "completed" | "failed";
  /** `dive_publish`: it sums up a fork. */
  readonly task_type: "message_response" | "dive_publish";
  readonly input: { readonly prompt: string };
  readonly token_usage: { readonly input_tokens: number; readonly output_tokens: number; readonly model: string } | null;
  /** Once the answer stands in the dialog. */
  readonly output: { readonly messageId: string; readonly responseLength: number } | null;
  /** ISO 8601. */
  readonly completed_at: string | null;
}

/** `GET /agents/profile/:slug/versions`. */
export interface AgentVersions {
  /** The file, as a path of the project. */
  readonly path: string;
  /** The hash of the file as it is; null: there is none. */
  readonly now: string | null;
  /** Newest first. */
  readonly versions: readonly AgentVersion[];
  /** There are older ones. */
  readonly more: boolean;
}

export interface AgentVersion {
  /** The change of the history with which the file read so. */
  readonly commit: string;
  /** ISO 8601. */
  readonly time: string;
  readonly by: Actor;
  /** One line that says what was changed. */
  readonly summary: string;
  /** SHA-256 of the definition, as `> Agent:` in a dialog names it; null: the file was removed. */
  readonly hash: string | null;
}

/** How much runs without asking: 0 nothing, 1 reading, 2 writing and commands too, 3 every tool. */
export type AgentLevel = 0 | 1 | 2 | 3;

/** `GET /agents/levels`. */
export interface LevelsAnswer {
  /** The version of doc-main.md; null: there is none. */
  readonly etag: string | null;
  /** null: its lines are those of no level. */
  readonly level: AgentLevel | null;
  readonly levels: readonly LevelLines[];
}

/** The lines of doc-main.md that a level would take away, and add. */
export interface LevelLines {
  readonly level: AgentLevel;
  readonly removes: readonly string[];
  readonly adds: readonly string[];
}

export interface LevelBody {
  readonly level: AgentLevel;
  /** As `LevelsAnswer` gave it. */
  readonly etag: string | null;
}

/** `POST /agents/import`. */
export interface AgentImport {
  /** Paths of the project, and the files that they come from. */
  readonly written: readonly { readonly path: string; readonly from: string }[];
  readonly unused: readonly { readonly path: string; readonly why: string }[];
  /** Lines that the user may write into doc-main.md, as another program's file suggests them. */
  readonly schedules: readonly string[];
}

/** `GET /agents/schedules`. Times are milliseconds since 1970. */
export interface SchedulesAnswer {
  /** The version of doc-main.md; null: there is none. */
  readonly etag: string | null;
  /** Agents that schedules start within an hour, at most. */
  readonly anHour: number;
  readonly schedules: readonly ScheduleView[];
}

export interface ScheduleView {
  /** What follows `> Schedule: `. */
  readonly value: string;
  /** The same without the time at which it was written. */
  readonly rule: string;
  /** null: the line can't be read. */
  readonly slug: string | null;
  /** Why it starts nothing; null: it does. */
  readonly problem: string | null;
  readonly last: { readonly dialogId: string; readonly time: number } | null;
  /** null: it waits for messages, or starts now. */
  readonly next: number | null;
}

/** One of `add`, a rule such as `coder every 60m`, and `remove`, the `value` of a line. */
export interface ScheduleBody {
  /** As `SchedulesAnswer` gave it. */
  readonly etag: string | null;
  readonly add?: string | undefined;
  readonly remove?: string | undefined;
}
