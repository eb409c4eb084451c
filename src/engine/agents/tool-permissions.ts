import { agentOf } from "../../dialog/agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import { runOf } from "../../dialog/run.ts";
import { agentTools } from "./definition.ts";

/** All tools of an agent outside a run. An agent of a run can have those in `agentTools`. */
export const allTools = ["run_command", "write_file", "edit_file", "launch_agent", "vfs_read", "vfs_list"] as const;

/** The tools that an agent has, and the most that agents it starts can have. */
export interface ToolPermissions {
  readonly tools: readonly string[];
  readonly ceiling: readonly string[];
}

/** The agent that starts another one. */
export interface Launcher extends ToolPermissions {
  /** The patterns of the files that it may read and write. Null means all files. */
  readonly reads: readonly string[] | null;
  readonly writes: readonly string[] | null;
  /** The agents that its file names. Null if the file doesn't restrict them. */
  readonly agents: readonly string[] | null;
}

/**
 * The tool permissions of an agent that is started by another agent, or by the user if `by` is null. `wants` lists the tools in its file. A
 * started agent gets no more than its starter has, unless the starter's file names it: then it gets as much as the starter's own starter allows.
 * So an agent that only plans can lead others that write, and no chain has more than the user gave.
 */
export function toolPermissionsOf(slug: string, wants: readonly string[], by: Launcher | null): ToolPermissions {
  const ceiling =
    by === null ? allTools : by.agents?.includes(slug) === true ? by.ceiling : by.tools.filter((tool) => by.ceiling.includes(tool));
  return { tools: wants.filter((tool) => ceiling.includes(tool)), ceiling };
}

/** The tool permissions of a dialog's agent when it starts others. Null if no file defines the agent, so it has the default permissions. */
export function launcherOf(dialog: Dialog): Launcher | null {
  const agent = agentOf(dialog);
  const all = runOf(dialog.head) === null ? allTools : agentTools;
  return agent && { tools: agent.tools, ceiling: agent.ceiling ?? all, agents: agent.agents, reads: agent.reads, writes: agent.writes };
}

/** Whether it may start an agent without a file, which has all tools. */
export const canLaunchUndefined = (by: Launcher | null): boolean =>
  by === null ||
  (by.reads === null && by.writes === null && allTools.every((tool) => by.tools.includes(tool) && by.ceiling.includes(tool)));
