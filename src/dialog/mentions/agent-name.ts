/** Names that the page and the labels use for others than agents. */
const reserved = new Set(["you", "owner", "user", "vibey", "context", "another agent", "summary by vibey"]);

/** The initials shown beside an agent's name: `CR` for `Code reviewer`. */
export const initialsOf = (name: string): string => name.replace(/^(.)\S*(?: (.).*)?$/u, "$1$2").toUpperCase();

/** The display name of an agent: `code-reviewer` becomes `Code reviewer`. A name that belongs to someone else is shown as `@you`. */
export function agentName(slug: string): string {
  const words = slug.replaceAll(/[-_]+/g, " ").trim();
  if (words === "") return slug;
  return reserved.has(words) ? `@${slug}` : words.charAt(0).toUpperCase() + words.slice(1);
}
