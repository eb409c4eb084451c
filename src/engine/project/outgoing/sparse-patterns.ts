import { foldedName } from "../../../fs/git-name.ts";
import { foldedPaths, patternOf, runsItself } from "./runs-itself.ts";

export interface SparseNeeds {
  /** Whether only files below a name that Windows may treat as another folder are kept out. */
  readonly shortNames: boolean;
  /** Files that match no name in the table, or whose names match only after some file systems fold them. */
  readonly odd: readonly string[];
  /** Whether there are no other files of this kind. */
  readonly isWhole: boolean;
  /** The repository's folder: empty, or with a trailing slash. */
  readonly folder: string;
}

/** The content of `info/sparse-checkout`, so that Git creates no such files when it checks out a version that has them. */
export function sparsePatterns({ shortNames, odd, isWhole, folder }: SparseNeeds): string {
  const names = shortNames ? [] : runsItself.flatMap((row) => (row.listed === undefined ? row.names : []));
  const spellings = (name: string) => [anyCase(name), ...(isWhole ? [] : foldedSpellings(name))];
  const held = names.flatMap((name) => spellings(withoutRest(name)).map((one) => `!${one.slice(0, -1).includes("/") ? "**/" : ""}${one}`));
  const below = names.flatMap((name) => restsBelow(name, folder)).flatMap((rest) => spellings(rest).map((one) => `!/${one}`));
  const unread = isWhole || shortNames ? [] : oddPatterns.map((one) => `!${one}`);
  return `${["/*", "!*~[1-9]*/", ...held, ...unread, ...below, ...odd.map(exactPattern)].join("\n")}\n`;
}

/** A line can't contain a line end, and a name that isn't valid UTF-8 was not read exactly. Wildcards replace these. */
function exactPattern(path: string): string {
  return `!/${path
    .replaceAll(/[\\*?[\]!# ]/g, "\\$&")
    .replaceAll(/[\r\n]/g, "?")
    .replaceAll("\ufffd", "*")}`;
}

const withoutRest = (name: string) => (name.endsWith("/**") ? name.slice(0, -2) : name);

/** In gitignore's syntax, for letters of either case. */
function anyCase(name: string): string {
  return name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/**
 * The rest of a name for a repository whose folder already matches its beginning. For `.vscode/**`, that is everything if the repository is in
 * `.vscode/` or below.
 */
function restsBelow(name: string, folder: string): string[] {
  const segments = name.split("/");
  const forms = foldedPaths(folder.slice(0, -1));
  const isIn = (above: string) => forms.some((form) => patternOf(above).test(form));
  if (name.endsWith("/**") && isIn(name)) return ["*"];
  return segments.slice(1).flatMap((_, at) => {
    const [above, rest] = [segments.slice(0, at + 1).join("/"), segments.slice(at + 1).join("/")];
    if (!isIn(above)) return [];
    return [rest === "**" ? "*" : withoutRest(rest)];
  });
}

/** Characters outside ASCII that fold into ASCII letters. `oddPatterns` has those that hardly any name contains. */
const folding = ["\u0131", "\u00df", "\u1e9e", "\ufb00", "\ufb01", "\ufb02", "\ufb03", "\ufb04", "\ufb05", "\ufb06"];

/** Other spellings of a name that some file systems fold into it. Each has one of these characters at one place, and others anywhere. */
function foldedSpellings(name: string): string[] {
  const found = /\d/.test(name) ? [loose(name)] : [];
  for (const one of folding) {
    const text = foldedName(one);
    for (let at = name.indexOf(text); at >= 0; at = name.indexOf(text, at + 1))
      found.push(`${loose(name.slice(0, at))}${one}*${loose(name.slice(at + text.length))}`.replaceAll(/\*+/g, "*"));
  }
  return found;
}

/** Allows other spellings of letters, and invisible characters after a digit. `oddPatterns` has those after a letter. */
function loose(part: string): string {
  return anyCase(part.replaceAll(/[filst]+/g, "*").replaceAll(/\d/g, "$&*"));
}

/** Invisible characters, which some file systems drop. */
const unseen: readonly (readonly [first: number, last: number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
];

/** The last pattern covers U+E0000 to U+E0FFF. Git compares bytes, and those of the first character are F3 A0 80 80. */
const unseenPatterns: readonly string[] = [
  ...unseen.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))),
  "[\u{e0000}][\u{e0000}]??",
];

/** The signs in names of the table, for a class of characters: a hyphen has to come last. */
const signs = [
  ...new Set(
    runsItself
      .flatMap(({ names, listed }) => (listed ? [] : names))
      .join("")
      .replaceAll(/[a-z\d*/-]/g, ""),
  ),
].join("");

/**
 * Names in unread commits that some file systems may fold into one in the table: with a long s or the Kelvin sign, with a dot, a space or a
 * stream type at the end, or with an invisible character at the beginning or after a character that names in the table have. Invisible characters
 * between letters of other scripts and in emoji are allowed.
 */
const oddPatterns: readonly string[] = [
  "*\u017f*",
  "*\u212a*",
  "*[. ]",
  "*:*$*",
  ...unseenPatterns.flatMap((one) => [`${one}*`, `*[A-Za-z${signs}-]${one}*`]),
];
