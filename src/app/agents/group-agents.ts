import type { AgentView } from "../../protocol/index.ts";

type Known = Pick<AgentView, "slug" | "hash" | "place" | "isSystem">;

export interface AgentGroups<Agent> {
  readonly yours: readonly Agent[];
  readonly slugs: ReadonlySet<string>;
  /** Of other programs; an adopted one is yours, and shown once. */
  readonly found: readonly Agent[];
  /** Those of them that can become yours as they are, the first of each name. */
  readonly adoptable: readonly Agent[];
}

/** Groups a project's agents by owner. There may be thousands, so each is looked at once. */
export function groupAgents<Agent extends Known>(all: readonly Agent[]): AgentGroups<Agent> {
  const yours = all.filter(({ place }) => place === "yours");
  const slugs = new Set(yours.map(({ slug }) => slug));
  const own = new Set(yours.map(({ slug, hash }) => `${slug} ${hash}`));
  const found = all.filter(({ place, slug, hash }) => place === "found" && !own.has(`${slug} ${hash}`));
  const first = new Map(found.toReversed().map((agent) => [agent.slug, agent]));
  const adoptable = found.filter((agent) => !agent.isSystem && !slugs.has(agent.slug) && first.get(agent.slug) === agent);
  return { yours, slugs, found, adoptable };
}
