import * as t from "../texts/roster.ts";

/** Agents that are offered if the project has none with that name. */
export const roster = [
  { slug: "vibe", text: t.vibe },
  { slug: "coder", text: t.coder },
] as const;

/** These and further agents, offered as templates on the agents' page. */
export const templates = [
  ...roster,
  { slug: "researcher", text: t.researcher },
  { slug: "writer", text: t.writer },
  { slug: "thread-summarizer", text: t.threadSummarizer },
  { slug: "agent-suggester", text: t.agentSuggester },
] as const;
