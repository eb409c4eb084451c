import { agentOf } from "../../dialog/agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import { runOf } from "../../dialog/run.ts";
import { agentTools } from "./definition.ts";

/** All tools of an agent that belongs to no run. One of a run can have those of `agentTools`. */
export const allTools = ["run_command", "write_file", "edit_file", "launch_agent", "vfs_read", "vfs_list"] as const;

/** The tools that an agent has, and those that the agents which it starts can have at most. */
export interface ToolPermissions {
  readonly tools: readonly string[];
  readonly ceiling: readonly string[];
}

/** The agent that starts another one. */
export interface Launcher extends ToolPermissions {
  /** Patterns of the files that it may read, and write; null: all. */
  readonly reads: readonly string[] | null;
  readonly writes: readonly string[] | null;
  /** The agents that its file names; null: it says nothing of them. */
  readonly agents: readonly string[] | null;
}

/**
 * The tool permissions of an agent that another one starts, or where `by` is null the user. Its file lists what it `wants`. What it starts can have no more
 * than it has itself, unless its file names it: then as much as the starter's own starter allows. So an agent that only plans can lead others
 * that write, and no chain has more than the user gave.
 */
export function toolPermissionsOf(slug: string, wants: readonly string[], by: Launcher | null): ToolPermissions {
  const ceiling =
    by === null ? allTools : by.agents?.includes(slug) === true ? by.ceiling : by.tools.filter((tool) => by.ceiling.includes(tool));
  return { tools: wants.filter((tool) => ceiling.includes(tool)), ceiling };
}

/** The tool permissions of a dialog's agent as one that starts others; null: no file defines it, and it has the default ones. */
export function launcherOf(dialog: Dialog): Launcher | null {
  const agent = agentOf(dialog);
  const all = runOf(dialog.head) === null ? allTools : agentTools;
  return agent && { tools: agent.tools, ceiling: agent.ceiling ?? all, agents: agent.agents, reads: agent.reads, writes: agent.writes };
}

/** Whether it may start an agent that no file defines: that one has all that there is. */
export const canLaunchUndefined = (by: Launcher | null): boolean =>
  by === null ||
  (by.reads === null && by.writes === null && allTools.every((tool) => by.tools.includes(tool) && by.ceiling.includes(tool)));
