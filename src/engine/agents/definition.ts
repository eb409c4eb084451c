import type { Path } from "../../fs/path.ts";
import type { AgentFields } from "../../protocol/index.ts";

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

/** An agent as its file describes it. A file describes: it never grants anything. */
export interface Definition {
  readonly path: Path;
  /** What it is called by. */
  readonly slug: string;
  /** Vibey's own: no one starts it. */
  readonly isSystem: boolean;
  readonly fields: AgentFields;
  /** The system prompt. */
  readonly body: string;
  /** What could not be read as it was meant, a sentence each. */
  readonly problems: readonly string[];
  /** Keys that mean nothing here, each with the reason. They stay in the file. */
  readonly unused: readonly { readonly key: string; readonly why: string }[];
}

/** A slug: lower case, no spaces, 40 characters at most. */
export const slugPattern = /^[a-z0-9_][a-z0-9_-]{0,39}$/;
