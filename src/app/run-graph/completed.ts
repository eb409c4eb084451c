import type { AgentNode } from "../../protocol/index.ts";

/**
 * Agents that show nothing new: they have completed, and so have all agents below them. `counts`: how many are folded into the agent that is still
 * shown.
 */
export interface Completed {
  readonly hidden: ReadonlySet<string>;
  readonly counts: ReadonlyMap<string, number>;
}

export const noneHidden: Completed = { hidden: new Set(), counts: new Map() };

/** Folds completed agents; never the root. Agents come after their parents. */
export function foldCompleted(agents: readonly Pick<AgentNode, "dialogId" | "parent" | "state">[]): Completed {
  const unfinished = new Set<string>();
  for (const { dialogId, parent, state } of agents.toReversed()) {
    if (state !== "completed") unfinished.add(dialogId);
    if (unfinished.has(dialogId) && parent !== null) unfinished.add(parent);
  }
  const hidden = new Set(agents.flatMap(({ dialogId, parent }) => (parent === null || unfinished.has(dialogId) ? [] : [dialogId])));
  const counts = new Map<string, number>();
  const parents = new Map(agents.map(({ dialogId, parent }) => [dialogId, parent]));
  for (const dialogId of hidden) {
    let shown = parents.get(dialogId) ?? null;
    while (shown !== null && hidden.has(shown)) shown = parents.get(shown) ?? null;
    if (shown !== null) counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return { hidden, counts };
}
