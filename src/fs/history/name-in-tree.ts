import { isGitName } from "../git-name.ts";

/**
 * The name of a project's file or folder in a tree. It is nearly always unchanged. But a project may have a file `a` and a file `a/b`, while in git a
 * name belongs to either a file or a folder. Then the file gets this mark at its end. A name that already ends with a mark gets another one, so each
 * entry stands for exactly one name, and removing the mark restores it.
 *
 * git refuses an entry that some file system treats as `.git`: such a name gets a `=` in front, and so does such a name that already has any number
 * of them in front. Files below it always have the mark. Otherwise checking out the commit would create a repository there, with its old
 * configuration.
 */
const fileMark = ".is-a-file-too";
const folderMark = ".is-a-folder";
const gitMark = "=";

const isMarked = (name: string): boolean => name.endsWith(fileMark) || name.endsWith(folderMark);
const isGits = (name: string): boolean => isGitName(name.replace(/^=+/, ""));
const shown = (name: string): string => (isGits(name) ? gitMark + name : name);
const plain = (entry: string): string => (entry.startsWith(gitMark) && isGits(entry) ? entry.slice(gitMark.length) : entry);

/**
 * The possible entries for a file of this name. `plain` applies unless a folder has that entry. Null: always use `marked`. `inGit`: a folder above it
 * is `.git`.
 */
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
