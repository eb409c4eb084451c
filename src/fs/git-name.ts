import { canonicalText, type Path } from "./path.ts";

/**
 * The form in which a file system may look up a name: case and composition are folded, invisible characters are dropped (HFS+), and so are an
 * alternate stream after a colon and final dots and spaces (NTFS).
 */
export function foldedName(segment: string): string {
  return canonicalText(segment.split(":", 1)[0] ?? "") ?? "";
}

/** Matches nearly every name: ASCII whose first character can't begin `.git` or `git~1`, or no `g`, which no other letter folds into. */
const plainlyNot = /^(?:[a-fh-zA-FH-Z0-9_-][\x20-\x7e]*|[^gG]*)$/;

/** Whether some file system treats the name as `.git`. git refuses such a name in a tree, in any spelling. */
export function isGitName(segment: string): boolean {
  if (plainlyNot.test(segment)) return false;
  const name = foldedName(segment);
  return name === ".git" || /^git~\d+$/.test(name);
}

/** Whether the path is a repository's own file, or the file `.git` itself. */
export function isInGit(path: Path): boolean {
  return path.split("/").some(isGitName);
}

/** Where git stores content under the hash of that content. Nothing there is read as settings or run. */
export const objectName = /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[0-9a-f]{40}\.(?:pack|idx))$/;

/** The folder of the repository that the file belongs to, such as `site/.git`. Null if it belongs to none. */
export function repositoryFolder(path: Path): string | null {
  const segments = path.split("/");
  const at = segments.findIndex(isGitName);
  return at < 0 || at === segments.length - 1 ? null : segments.slice(0, at + 1).join("/");
}

/** Whether the path is a repository's object or pack, stored under the hash of its content. */
export function isGitObject(path: Path): boolean {
  const folder = repositoryFolder(path);
  return folder !== null && folder.endsWith(".git") && objectName.test(path.slice(folder.length + 1));
}
