import * as t from "../texts/roster.ts";

/** Agents that are offered where a project has none of that name. */
export const roster = [
  { slug: "vibe", text: t.vibe },
  { slug: "coder", text: t.coder },
] as const;
