import { canonicalText, type Path } from "./path.ts";

/**
 * The form in which a file system may look a name up: case and composition are folded, characters that show nothing are dropped (HFS+),
 * and so are an alternate stream behind a colon and dots and spaces at the end (NTFS).
 */
export function foldedName(segment: string): string {
  return canonicalText(segment.split(":", 1)[0] ?? "") ?? "";
}

/** Nearly every name: no dot or letter in front that could become `.git`; or without the letter that nothing else folds into. */
const plainlyNot = /^(?:[a-fh-zA-FH-Z0-9_-][\x20-\x7e]*|[^gG]*)$/;

/** A name that some file system takes for `.git`: git refuses it in a tree, in any spelling. */
export function isGitName(segment: string): boolean {
  if (plainlyNot.test(segment)) return false;
  const name = foldedName(segment);
  return name === ".git" || /^git~\d+$/.test(name);
}

/** It is a repository's own file, or the file `.git` itself. */
export function isInGit(path: Path): boolean {
  return path.split("/").some(isGitName);
}

/** Where git itself stores content under the name that the content has. Nothing there is read as settings or run. */
export const objectName = /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[0-9a-f]{40}\.(?:pack|idx))$/;

/** The folder of the repository that the file belongs to, such as `site/.git`; null: it belongs to none. */
export function repositoryFolder(path: Path): string | null {
  const segments = path.split("/");
  const at = segments.findIndex(isGitName);
  return at < 0 || at === segments.length - 1 ? null : segments.slice(0, at + 1).join("/");
}

/** A repository's object or pack, stored under the name of its content. */
export function isGitObject(path: Path): boolean {
  const folder = repositoryFolder(path);
  return folder !== null && folder.endsWith(".git") && objectName.test(path.slice(folder.length + 1));
}
