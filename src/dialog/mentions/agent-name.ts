/** What the page and the labels call others than agents. */
const reserved = new Set(["you", "owner", "user", "vibey", "context", "another agent", "summary by vibey"]);

/** What marks an agent beside its name: `CR` for `Code reviewer`. */
export const initialsOf = (name: string): string => name.replace(/^(.)\S*(?: (.).*)?$/u, "$1$2").toUpperCase();

/** The name of an agent as it is shown: `code-reviewer` is `Code reviewer`. One that is called as someone else keeps its `@`: `@you`. */
export function agentName(slug: string): string {
  const words = slug.replaceAll(/[-_]+/g, " ").trim();
  if (words === "") return slug;
  return reserved.has(words) ? `@${slug}` : words.charAt(0).toUpperCase() + words.slice(1);
}
