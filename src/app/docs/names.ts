/** The names of docs: `doc-rules.md` in the store, "rules" on the screen. */
import * as t from "../texts/docs.ts";

export type NameAnswer = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly why: string };

/** What a person typed as the name of a new doc, as a file name; or a sentence that says what is wrong with it. */
export function docFilename(typed: string): NameAnswer {
  const words = typed.trim().replace(/\s+/g, "-");
  const bare = words.replace(/\.md$/i, "");
  if (bare === "" || bare === "doc-") return { ok: false, why: t.nameMissing };
  const strange = /[^a-zA-Z0-9_\-.]/u.exec(bare)?.[0];
  if (strange !== undefined) return { ok: false, why: t.nameStrange(strange) };
  if (bare.includes("..")) return { ok: false, why: t.nameDots };
  const name = `${bare.startsWith("doc-") ? "" : "doc-"}${bare}.md`;
  if (name.length > 200) return { ok: false, why: t.nameLong };
  return { ok: true, name };
}

export const isDoc = (filename: string) => filename.startsWith("doc-");

/** "rules" for `doc-rules.md`; any other name as it is. */
export const shownName = (filename: string) => (isDoc(filename) ? filename.slice("doc-".length).replace(/\.md$/, "") : filename);

export const mainDoc = "doc-main.md";

const rank = (name: string) => (name === mainDoc ? 0 : 1);

/** The docs, main first, then by name. */
export function orderDocs(filenames: readonly string[]): string[] {
  return filenames.filter(isDoc).toSorted((a, b) => rank(a) - rank(b) || shownName(a).localeCompare(shownName(b)));
}

/** The parts of a dialog's file name; null for another file. */
export function dialogFile(filename: string): { readonly id: string; readonly slug: string; readonly status: string } | null {
  const match = /^dialog-(\d{8}-\d{6}-(.+))-(active|waiting|done)\.md$/.exec(filename);
  return match ? { id: match[1] ?? "", slug: match[2] ?? "", status: match[3] ?? "" } : null;
}

/** The slug of a dialog id. */
export const slugOf = (dialogId: string) => dialogId.replace(/^\d{8}-\d{6}-/, "");
