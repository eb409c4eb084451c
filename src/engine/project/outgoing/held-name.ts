import { foldedName, isGitName } from "../../../fs/git-name.ts";

/**
 * A file that is held back keeps its bytes and folder, and this mark is added to its name, so that no program finds it under its own name.
 * Folders that a file system may treat as `.git` get the mark, too. A name that already ends with the mark gets another one, in every zip, so
 * removing one mark restores the name.
 *
 * The mark is also added to names that lead elsewhere on some systems, because no careful program unpacks a zip with such a name: at the end of a
 * name that has only dots, spaces and invisible characters, and after a drive letter.
 */
const mark = "~held-back";

export function plainName(path: string): string {
  return path.includes(mark) || maybeElsewhere.test(path) ? path.split("/").map(escaped).join("/") : path;
}

export function heldName(path: string): string {
  const segments = path.split("/");
  return segments
    .map((segment, at) =>
      at === segments.length - 1 || isGitName(segment) ? `${withDriveMark(segment, at)}${mark}` : escaped(segment, at),
    )
    .join("/");
}

/** Matches almost no path: a segment without letters or digits, or a drive letter at the start. */
const maybeElsewhere = /^[A-Za-z]:|(?:^|\/)[^\w/]+(?:\/|$)/;

function escaped(segment: string, at: number): string {
  const name = withDriveMark(segment, at);
  return name.endsWith(mark) || foldedName(name) === "" ? `${name}${mark}` : name;
}

function withDriveMark(segment: string, at: number): string {
  return at === 0 ? segment.replace(/^([A-Za-z])((?:~held-back)*:)/, `$1${mark}$2`) : segment;
}

/** The original path for a name from `plainName` or `heldName`. */
export function withoutHeldMark(name: string): string {
  if (!name.includes(mark)) return name;
  return name
    .split("/")
    .map((segment) => (segment.endsWith(mark) ? segment.slice(0, -mark.length) : segment))
    .map((segment, at) => (at === 0 ? segment.replace(/^([A-Za-z])~held-back((?:~held-back)*:)/, "$1$2") : segment))
    .join("/");
}

/** The pattern that makes Git ignore the held-back files in a working tree. */
export const heldPattern = `*${mark}`;
