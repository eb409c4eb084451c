import * as t from "../texts/agents-page.ts";

/** What an agent with these tools can do or ask for; null: all tools. */
export function abilitiesOf(tools: readonly string[] | null): string {
  if (tools === null) return [t.reads, t.can([t.everything])].join(" · ");
  const reads = tools.includes("vfs_read") ? [t.reads] : [];
  const words = tools.flatMap((tool) => t.toolWords[tool] ?? []);
  const all = [...reads, ...(words.length === 0 ? [] : [t.can(words)])];
  return all.length === 0 ? t.noTools : all.join(" · ");
}
