/** The name of an agent as it is shown: `code-reviewer` is `Code reviewer`. */
export function agentName(slug: string): string {
  const words = slug.replaceAll(/[-_]+/g, " ").trim();
  return words === "" ? slug : words.charAt(0).toUpperCase() + words.slice(1);
}
