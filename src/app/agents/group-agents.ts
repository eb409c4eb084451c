import type { AgentView } from "../../protocol/index.ts";

type Known = Pick<AgentView, "slug" | "hash" | "place" | "isSystem">;

export interface AgentGroups<Agent> {
  readonly yours: readonly Agent[];
  readonly slugs: ReadonlySet<string>;
  /** Agents of other programs. An adopted agent belongs to the user, and is shown only once. */
  readonly found: readonly Agent[];
  /** Those that can be adopted as they are, the first of each name. */
  readonly adoptable: readonly Agent[];
}

/** Groups a project's agents by owner. There may be thousands, so each is visited once. */
export function groupAgents<Agent extends Known>(all: readonly Agent[]): AgentGroups<Agent> {
  const yours = all.filter(({ place }) => place === "yours");
  const slugs = new Set(yours.map(({ slug }) => slug));
  const own = new Set(yours.map(({ slug, hash }) => `${slug} ${hash}`));
  const found = all.filter(({ place, slug, hash }) => place === "found" && !own.has(`${slug} ${hash}`));
  const first = new Map(found.toReversed().map((agent) => [agent.slug, agent]));
  const adoptable = found.filter((agent) => !agent.isSystem && !slugs.has(agent.slug) && first.get(agent.slug) === agent);
  return { yours, slugs, found, adoptable };
}
