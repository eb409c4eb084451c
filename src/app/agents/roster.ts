import * as t from "../texts/roster.ts";

/** Agents that are offered where a project has none of that name. */
export const roster = [
  { slug: "vibe", text: t.vibe },
  { slug: "coder", text: t.coder },
] as const;

/** More of them, for those who look for one. */
export const templates = [
  ...roster,
  { slug: "researcher", text: t.researcher },
  { slug: "writer", text: t.writer },
  { slug: "thread-summarizer", text: t.threadSummarizer },
  { slug: "agent-suggester", text: t.agentSuggester },
] as const;
