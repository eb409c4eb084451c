/** The names of docs: `doc-rules.md` in the store, "rules" on the screen. */
export const isDoc = (filename: string) => filename.startsWith("doc-");

/** "rules" for `doc-rules.md`; any other name is unchanged. */
export const shownName = (filename: string) => (isDoc(filename) ? filename.slice("doc-".length).replace(/\.md$/, "") : filename);

export const mainDoc = "doc-main.md";

const rank = (name: string) => (name === mainDoc ? 0 : 1);

/** The docs, main first, then by name. */
export function orderDocs(filenames: readonly string[]): string[] {
  return filenames
    .filter(isDoc)
    .map((name) => ({ name, shown: shownName(name) }))
    .toSorted((a, b) => rank(a.name) - rank(b.name) || a.shown.localeCompare(b.shown))
    .map(({ name }) => name);
}

/** The parts of a dialog's file name; null for other files. */
export function dialogFile(filename: string): { readonly id: string; readonly slug: string; readonly status: string } | null {
  const match = /^dialog-(\d{8}-\d{6}-(.+))-(active|waiting|done)\.md$/.exec(filename);
  return match ? { id: match[1] ?? "", slug: match[2] ?? "", status: match[3] ?? "" } : null;
}

/** The slug of a dialog id. */
export const slugOf = (dialogId: string) => dialogId.replace(/^\d{8}-\d{6}-/, "");

/** The slug of the agent that a file defines; null if it defines none. */
export const agentSlug = (name: string): string | null => /^agent-([a-z0-9_][a-z0-9_-]{0,39})\.md$/i.exec(name)?.[1]?.toLowerCase() ?? null;
