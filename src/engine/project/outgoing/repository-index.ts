import { foldedName, isGitName } from "../../../fs/git-name.ts";
import { modes } from "../../../shell/embedded/git/store/model.ts";
import { formatIndex, parseIndex, type Index } from "../../../shell/embedded/git/store/index-file.ts";
import { Stop } from "../../../shell/embedded/git/stop.ts";

export interface RebuiltIndex {
  readonly bytes: Uint8Array;
  /** Whether it names links, which a zip contains as files. */
  readonly links: boolean;
  /** Whether it had entries that would make Git write to unsafe places. */
  readonly unsafe: boolean;
}

const known: readonly number[] = [modes.file, modes.program, modes.link, modes.submodule];

/**
 * Writes the index again from its entries. Git trusts an index: `git checkout` writes every file in it, even to `.git/hooks`. So entries that
 * lead into a repository or through a link are left out, and so are all extensions. A conflict in an absent file is resolved with our side,
 * because Git writes a side of each conflict that it resolves and can't skip it. Null if the index can't be read.
 */
export function rebuildIndex(bytes: Uint8Array, absent: (path: string) => boolean): RebuiltIndex | null {
  let index: Index;
  try {
    index = parseIndex(bytes);
  } catch (error) {
    if (error instanceof Stop || error instanceof RangeError) return null;
    throw error;
  }
  const paths = [...index.files.keys(), ...index.conflicts.keys()];
  const forms = new Set(paths.map(formOf));
  const isSafe = (path: string) => isSafePath(path) && !hasAncestor(formOf(path), forms);
  const files = new Map([...index.files].filter(([path, { mode }]) => isSafe(path) && known.includes(mode)));
  const safe = [...index.conflicts].filter(([path]) => isSafe(path));
  const unsafe = files.size + safe.length < paths.length;
  const conflicts = new Map(safe.filter(([path]) => !absent(path)));
  for (const [path, { ours }] of safe)
    if (ours && known.includes(ours.mode) && !conflicts.has(path) && !files.has(path)) files.set(path, { ...ours, size: -1, mtime: -1 });
  const sides = [...conflicts.values()].flatMap(({ base, ours, theirs }) => [base, ours, theirs]);
  return {
    bytes: formatIndex({ files, conflicts }, absent),
    links: [...files.values(), ...sides].some((side) => side?.mode === modes.link),
    unsafe,
  };
}

const formOf = (path: string) => path.split("/").map(foldedName).join("/");

function isSafePath(path: string): boolean {
  if (/[\0\\]/.test(path)) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== ".." && !isGitName(segment));
}

function hasAncestor(form: string, forms: ReadonlySet<string>): boolean {
  for (let at = form.indexOf("/"); at >= 0; at = form.indexOf("/", at + 1)) if (forms.has(form.slice(0, at))) return true;
  return false;
}
