import { isGitName } from "../git-name.ts";

/**
 * How a name of the project stands in a tree. Nearly always as it is. But a project may hold a file `a` and a file `a/b`, where git
 * has one name for either a file or a folder: there the file has this mark at its end. A name that ends with a mark anyway gets
 * another one, so that each entry is of one name, and taking the mark off gives it.
 *
 * git refuses an entry that some file system takes for `.git`: such a name has a `=` in front, and so has one that is such a name
 * behind any number of them. Files below it always have the mark. Else a commit that is checked out would put a repository there, with
 * the configuration that it had.
 */
const fileMark = ".is-a-file-too";
const folderMark = ".is-a-folder";
const gitMark = "=";

const isMarked = (name: string): boolean => name.endsWith(fileMark) || name.endsWith(folderMark);
const isGits = (name: string): boolean => isGitName(name.replace(/^=+/, ""));
const shown = (name: string): string => (isGits(name) ? gitMark + name : name);
const plain = (entry: string): string => (entry.startsWith(gitMark) && isGits(entry) ? entry.slice(gitMark.length) : entry);

/** Where a file of this name can stand: the first one is for when no folder has it; null: never there. `inGit`: a folder above it is `.git`. */
export function fileEntries(name: string, inGit: boolean): { readonly plain: string | null; readonly marked: string } {
  return { plain: inGit || isMarked(name) ? null : shown(name), marked: shown(name) + fileMark };
}

export function folderEntry(name: string): string {
  return shown(name) + (isMarked(name) ? folderMark : "");
}

export function fileName(entry: string): string {
  return plain(entry.endsWith(fileMark) ? entry.slice(0, -fileMark.length) : entry);
}

export function folderName(entry: string): string {
  return plain(entry.endsWith(folderMark) ? entry.slice(0, -folderMark.length) : entry);
}
