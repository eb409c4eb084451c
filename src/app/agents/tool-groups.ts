import type { AgentChange, AgentView } from "../../protocol/index.ts";

export type ToolGroup = "read" | "write" | "run" | "launch";

/** All tools, in groups that people recognize. */
const groups: Readonly<Record<ToolGroup, readonly string[]>> = {
  read: ["vfs_read", "vfs_list"],
  write: ["vfs_write", "edit_file"],
  run: ["run_command"],
  launch: ["spawn_agent"],
};
const all = Object.values(groups).flat();

/** Whether the agent has all tools of the group, some, or none. */
export function hasGroup(tools: AgentView["tools"], group: ToolGroup): "all" | "some" | "none" {
  if (tools === null) return "all";
  const found = groups[group].filter((tool) => tools.includes(tool)).length;
  return found === groups[group].length ? "all" : found > 0 ? "some" : "none";
}

type FileOfAgent = Pick<AgentView, "tools" | "agents" | "unused"> & { readonly text: string };

/** The change that gives the agent the tools of the group, or removes them; null: nothing changes. */
export function groupChange(agent: FileOfAgent, group: ToolGroup, isOn: boolean): AgentChange | null {
  if (hasGroup(agent.tools, group) === (isOn ? "all" : "none")) return null;
  const had = (agent.tools ?? all).filter((tool) => !groups[group].includes(tool));
  return listed(agent, isOn ? [...had, ...groups[group]] : had);
}

/** The same for all tools. Without the key, the agent has all tools. */
export function everyChange(agent: FileOfAgent, isOn: boolean): AgentChange | null {
  if (isOn) return agent.tools === null ? null : keepsAgents(agent, { tools: null });
  return agent.tools === null ? listed(agent, all) : null;
}

/** Tool names of other programs stay in the list. */
function listed(agent: FileOfAgent, tools: readonly string[]): AgentChange {
  const order = (tool: string) => (all.includes(tool) ? all.indexOf(tool) : all.length);
  const foreign = agent.unused.flatMap(({ key }) => /^tools: ([^]+)$/.exec(key)?.[1] ?? []);
  return keepsAgents(agent, { tools: [...tools.toSorted((a, b) => order(a) - order(b)), ...foreign] });
}

/** `Task(reviewer)` among the tools says which agents it may launch. When the tools are rewritten, this moves to a line of its own. */
const namesAgents = /\b(?:task|agent|launch_agent|spawn_agent)\(/i;
const keepsAgents = (agent: FileOfAgent, change: AgentChange): AgentChange =>
  agent.agents !== null && namesAgents.test(agent.text.split(/^---[ \t]*\r?$/m)[1] ?? "") ? { ...change, agents: agent.agents } : change;
