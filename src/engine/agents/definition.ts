import type { Path } from "../../fs/path.ts";

/** What an agent can be given. `write_file` is `vfs_write` and `launch_agent` is `spawn_agent`: one permission each. */
export const agentTools = [
  "vfs_read",
  "vfs_list",
  "vfs_write",
  "vfs_delete",
  "edit_file",
  "run_command",
  "spawn_agent",
  "signal_parent",
] as const;

export type AgentTool = (typeof agentTools)[number];

/** What the front matter of an agent file says, under Vibey's own names for it. */
export interface Fields {
  readonly displayName: string;
  readonly description: string;
  /** A path in the deed; null: an initial stands for it. */
  readonly avatarUrl: string | null;
  /** An id, `provider/id` or a family such as `sonnet`; null: the default. */
  readonly model: string | null;
  /** Tokens of one answer; null: the default. */
  readonly maxTokens: number | null;
  /** Tags that people read. They allow nothing. */
  readonly capabilities: readonly string[];
  /** Whether it answers when it is mentioned. */
  readonly isActive: boolean;
  /** What it may ask for, each once; null: the file doesn't say, so all tools. */
  readonly tools: readonly AgentTool[] | null;
  /** Tools that ask each time, whatever doc-main.md allows. */
  readonly revoked: readonly AgentTool[];
  /** Slugs of the agents that it may start; null: the file doesn't say. */
  readonly agents: readonly string[] | null;
  readonly maxTurns: number | null;
  /** Seconds. */
  readonly timeout: number | null;
  readonly priority: number | null;
  /** It keeps a file of memories. */
  readonly memory: boolean;
  /** How many of the last messages it is given. */
  readonly context: number | "all" | null;
}

/** An agent as its file describes it. A file describes: it never grants anything. */
export interface Definition {
  readonly path: Path;
  /** What a mention calls it. */
  readonly slug: string;
  /** Vibey's own: never mentioned, shown only for reading. */
  readonly isSystem: boolean;
  readonly fields: Fields;
  /** The system prompt. */
  readonly body: string;
  /** What could not be read as it was meant, a sentence each. */
  readonly problems: readonly string[];
  /** Keys that mean nothing here, each with the reason. They stay in the file. */
  readonly unused: readonly { readonly key: string; readonly why: string }[];
}

/** What a mention can call: no spaces, lower case, 40 characters at most. */
export const slugPattern = /^[a-z0-9_][a-z0-9_-]{0,39}$/;
