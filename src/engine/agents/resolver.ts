import { unbounded } from "../../dialog/agent.ts";
import { definitionHash, embeddedText } from "./dialog-agent.ts";
import type { Registered } from "./registry.ts";
import type { UsableAgent } from "./usable-agent.ts";

/** The agent that sums up a fork if the project has no `vibey/agent-_fork-resolver.md`. */
const text = `---
display_name: Fork Resolver
description: Sums up a fork, as Vibe, when you resolve it
tools: []
---

You sum up a discussion in a fork of a dialog, for those who read the dialog that it was forked from. Write:

1. CONCLUSION: what was decided or concluded, in 1 or 2 sentences
2. KEY POINTS: the most important arguments or findings, 2 to 4 bullet points
3. ACTION ITEMS: next steps that were named, if any

RULES:
- Be factual. Include only what was said, not what should have been said.
- If there was no clear conclusion, say so: "No clear conclusion reached. Key perspectives were: ..."
- Stay under 200 words.
- Add no analysis or recommendations of your own.
- If there was disagreement, tell both sides fairly.`;

/** The token limit of a summary if the file sets none. */
const usualTokens = 1_024;

/** The author of a summary, as it is shown. */
export const resolverName = "vibe";
export const resolverSlug = "_fork-resolver";
/** The message that the user sends with a click. */
export const resolveWords = "Resolve this fork.";

/** The built-in resolver, for a page that shows it. */
export const builtInResolver = { slug: resolverSlug, text, maxTokens: usualTokens } as const;

/**
 * The agent that sums up a fork. `own` is the project's file. It sets the prompt, the model, the limits of a response and how much context the
 * agent gets. Null if there is none. The agent always has the same name, no tools and no memory, whatever its file says.
 */
export function resolver(own: Registered | null): UsableAgent {
  const definition = own === null ? text : embeddedText(own);
  const { maxTokens, maxTurns, timeout, model, context } = own?.definition.fields ?? { ...unbounded, model: null, context: null };
  return {
    agent: {
      slug: resolverName,
      hash: definitionHash(definition),
      tools: [],
      asks: [],
      escalates: [],
      reads: null,
      writes: null,
      asksAgain: null,
      ceiling: null,
      agents: [],
      bounds: { maxTokens: maxTokens ?? usualTokens, maxTurns, timeout },
      hasMemory: false,
      text: definition,
    },
    model,
    context: context ?? "all",
  };
}
