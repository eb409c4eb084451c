import type { Path } from "../../fs/path.ts";
import type { AgentFields } from "../../protocol/index.ts";

/** The tools that an agent can be given. `write_file` shares the permission of `vfs_write`, and `launch_agent` that of `spawn_agent`. */
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

/** An agent as its file describes it. A file only describes an agent and never grants a permission. */
export interface Definition {
  readonly path: Path;
  /** The name by which the agent is called. */
  readonly slug: string;
  /** One of Vibey's own agents, which no one can start. */
  readonly isSystem: boolean;
  readonly fields: AgentFields;
  /** The system prompt. */
  readonly body: string;
  /** What could not be read as intended, one sentence each. */
  readonly problems: readonly string[];
  /** Keys without meaning here, each with the reason. They stay in the file. */
  readonly unused: readonly { readonly key: string; readonly why: string }[];
}

/** A slug is lower case, has no spaces and at most 40 characters. */
export const slugPattern = /^[a-z0-9_][a-z0-9_-]{0,39}$/;
