import { foldedName, isGitName } from "../../../fs/git-name.ts";

/**
 * A file that is held back keeps its bytes and its place and has this mark at the end of its name, so no program finds it under the name
 * that it looks for. Folders that a file system may take for `.git` get the mark too. A segment that ends with the mark anyway gets another
 * one, in every zip: taking one mark off gives the name.
 *
 * The mark is also in names that lead elsewhere on some systems, as no careful program unpacks a zip with one: at the end of a name of
 * nothing but dots, spaces and characters that show nothing, and behind the letter of a drive.
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

/** Nearly no path: a segment has no letter or digit, or the first one is the letter of a drive. */
const maybeElsewhere = /^[A-Za-z]:|(?:^|\/)[^\w/]+(?:\/|$)/;

function escaped(segment: string, at: number): string {
  const name = withDriveMark(segment, at);
  return name.endsWith(mark) || foldedName(name) === "" ? `${name}${mark}` : name;
}

function withDriveMark(segment: string, at: number): string {
  return at === 0 ? segment.replace(/^([A-Za-z])((?:~held-back)*:)/, `$1${mark}$2`) : segment;
}

/** The path that `plainName` or `heldName` gave this name. */
export function withoutHeldMark(name: string): string {
  if (!name.includes(mark)) return name;
  return name
    .split("/")
    .map((segment) => (segment.endsWith(mark) ? segment.slice(0, -mark.length) : segment))
    .map((segment, at) => (at === 0 ? segment.replace(/^([A-Za-z])~held-back((?:~held-back)*:)/, "$1$2") : segment))
    .join("/");
}

/** What git is told to overlook in a working tree in which files are held back. */
export const heldPattern = `*${mark}`;
