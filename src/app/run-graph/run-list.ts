import type { AgentNode } from "../../protocol/index.ts";
import { compact } from "../overview/compact.ts";
import { treeOf } from "../overview/tree.ts";
import * as t from "../texts/run-graph.ts";

/** The maximum number of runs that can be chosen. */
const mostRuns = 100;

export interface Run {
  readonly dialogId: string;
  /** The number of agents in the run, including the root. */
  readonly agents: number;
}

/** The dialogs that the user started, newest first: those that have agents below them come before the others. */
export function runsOf(dialogs: readonly { readonly dialogId: string; readonly launchedBy?: string | null | undefined }[]): readonly Run[] {
  const runs: { dialogId: string; agents: number }[] = [];
  for (const { id, level } of treeOf(dialogs)) {
    const last = runs.at(-1);
    if (level === 1 || last === undefined) runs.push({ dialogId: id, agents: 1 });
    else last.agents += 1;
  }
  return runs.toSorted((one, other) => Number(other.agents > 1) - Number(one.agents > 1)).slice(0, mostRuns);
}

/** How many agents are working and waiting, and how many tokens they used. */
export function summaryOf(agents: readonly AgentNode[]): string {
  const count = (state: AgentNode["state"]) => agents.filter((agent) => agent.state === state).length;
  const tokens = agents.reduce((sum, agent) => sum + (agent.tokens ?? 0), 0);
  const asks = count("asks");
  return [t.summary(count("running"), count("queued"), compact(tokens)), asks === 0 ? "" : t.asking(asks)].filter(Boolean).join(" · ");
}
