import { foldedName, isGitName } from "../../../fs/git-name.ts";
import type { Path } from "../../../fs/path.ts";
import type { RepositoryFiles } from "./repository.ts";
import { unpackedPaths } from "./unpacked-name.ts";

/** The files that belong to repositories, and the others. */
export interface Claims {
  /** Repositories whose folder is `.git`, or that have no working tree. */
  readonly repositories: readonly RepositoryFiles[];
  /** Files named `.git`, which point Git to another folder. */
  readonly pointers: readonly Path[];
  /** Files below a name that some file systems treat as `.git`, by the folder with that name. A file with that name is its own entry. */
  readonly spellings: ReadonlyMap<string, readonly Path[]>;
  /** Files that have, or are below, a name that Windows may have assigned to another file or folder, by the file or folder with that name. */
  readonly shortNames: ReadonlyMap<string, readonly Path[]>;
  readonly others: readonly Path[];
}

/**
 * Windows gives a folder with a longer name a second, short name: `.vscode` is also `VSCODE~1`. Unpacking a file below the short name puts it
 * into the folder and overwrites existing files.
 */
export function isShortName(segment: string): boolean {
  return /^[^~]{1,6}~[1-9]\d{0,5}(?:\.[^.]{0,3})?$/.test(foldedName(segment));
}

/** By folder, the names that can have a second name on Windows: those that are not short themselves. */
function longNames(paths: readonly Path[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  if (!paths.some((path) => path.includes("~"))) return names;
  for (const path of paths) {
    const at = path.lastIndexOf("/");
    const name = foldedName(path.slice(at + 1));
    if (/^[^.\s]{1,8}(?:\.[^.\s]{1,3})?$/.test(name)) continue;
    const folder = path.slice(0, at + 1).toLowerCase();
    const others = names.get(folder);
    if (others) others.push(name);
    else names.set(folder, [name]);
  }
  return names;
}

/**
 * Whether `short` may be the second name of `long`: `PACKAG~1.JSO` may be `package.json`. The exact name varies, so only its beginning and
 * extension are compared.
 */
function mayBeOf(short: string, long: string): boolean {
  const dot = short.indexOf(".");
  const extension = dot < 0 ? "" : short.slice(dot + 1);
  const last = long.lastIndexOf(".");
  const other = last <= 0 ? "" : long.slice(last + 1);
  const begin = long.replaceAll(/[.\s]/g, "").slice(0, 2);
  return other.slice(0, 3) === extension && (short.startsWith(begin) || /[^a-z0-9]/.test(begin));
}

/** The names that Git reads in a repository's folder. A folder without a working tree may also hold others, which are treated like any other file. */
const ownNames: ReadonlySet<string> = new Set([
  "head",
  "config",
  "config.worktree",
  "commondir",
  "gitdir",
  "hooks",
  "index",
  "info",
  "logs",
  "modules",
  "objects",
  "packed-refs",
  "refs",
  "reftable",
  "shallow",
  "worktrees",
]);

/**
 * Assigns a project's files to repositories: each to the outermost folder that Git could treat as a repository. `.git` always counts. Another
 * folder counts if it has `HEAD` and either `objects` and `refs`, or a `commondir`. This includes folders that become repositories on some file
 * systems or after unpacking.
 */
export function claim(paths: readonly Path[]): Claims {
  const formsOf = folderForms();
  const bare = bareFolders(paths, formsOf);
  const repositories = new Map<string, { folder: string; bare: boolean; files: Map<string, Path> }>();
  const pointers: Path[] = [];
  const spellings = new Map<string, Path[]>();
  const shortNames = new Map<string, Path[]>();
  const others: Path[] = [];
  const own = (folder: string, isBare: boolean, rel: string, path: Path) => {
    const repository = repositories.get(folder) ?? { folder, bare: isBare, files: new Map<string, Path>() };
    repository.files.set(rel, path);
    repositories.set(folder, repository);
  };
  const add = (to: Map<string, Path[]>, folder: string, path: Path) => {
    const known = to.get(folder);
    if (known) known.push(path);
    else to.set(folder, [path]);
  };
  const long = longNames(paths);
  const isSecondName = (path: Path): boolean => {
    const at = path.lastIndexOf("/");
    const short = foldedName(path.slice(at + 1));
    return (
      isShortName(short) && (long.get(path.slice(0, at + 1).toLowerCase()) ?? []).some((name) => name !== short && mayBeOf(short, name))
    );
  };
  for (const path of paths) {
    const segments = path.split("/");
    const folder = (at: number) => segments.slice(0, at).join("/");
    let isOwned = false;
    for (const [at, segment] of segments.entries()) {
      if (isGitName(segment)) {
        const top = segments.slice(0, at + 1).join("/");
        if (segment !== ".git") add(spellings, top, path);
        else if (at === segments.length - 1) pointers.push(path);
        else own(top, false, segments.slice(at + 1).join("/"), path);
        isOwned = true;
      } else if (bare.size > 0 && ownNames.has(foldedName(segment)) && formsOf(folder(at)).some((form) => bare.has(form))) {
        own(folder(at), true, segments.slice(at).join("/"), path);
        isOwned = true;
      } else if (at < segments.length - 1 && segment.includes("~") && isShortName(segment)) {
        add(shortNames, segments.slice(0, at + 1).join("/"), path);
        isOwned = true;
      } else if (at === segments.length - 1 && segment.includes("~") && isSecondName(path)) {
        add(shortNames, path, path);
        isOwned = true;
      }
      if (isOwned) break;
    }
    if (!isOwned) others.push(path);
  }
  return { repositories: [...repositories.values()], pointers, spellings, shortNames, others };
}

/** The forms in which file systems compare a folder's path after unpacking. An empty path is the project's own folder. */
function folderForms(): (folder: string) => readonly string[] {
  const forms = new Map<string, readonly string[]>([["", [""]]]);
  return (folder) => {
    const known = forms.get(folder);
    if (known !== undefined) return known;
    const all = unpackedPaths(folder).map((path) => path.split("/").map(foldedName).join("/"));
    forms.set(folder, all);
    return all;
  };
}

/** The normalized paths of folders that Git treats as repositories because of the names in them, in any case. */
function bareFolders(paths: readonly Path[], formsOf: (folder: string) => readonly string[]): ReadonlySet<string> {
  const wanted: ReadonlySet<string> = new Set(["head", "objects", "refs", "commondir"]);
  const heads = new Set<string>();
  const inside = new Map<string, Set<string>>();
  for (const path of paths) {
    const segments = path.split("/");
    for (const [at, segment] of segments.entries()) {
      const name = wanted.has(segment.toLowerCase())
        ? segment.toLowerCase()
        : // Nothing else folds into `e` or `o`, and each of the names contains one of them.
          /[eo]/i.test(segment) && /[^\x20-\x7e]|[.: ]$|:/.test(segment)
          ? foldedName(segment)
          : "";
      if (!wanted.has(name)) continue;
      for (const folder of formsOf(segments.slice(0, at).join("/"))) {
        if (name === "head" && at === segments.length - 1) heads.add(folder);
        inside.set(folder, (inside.get(folder) ?? new Set()).add(name));
      }
    }
  }
  const isRepository = (folder: string) => {
    const names = inside.get(folder);
    return names?.has("commondir") === true || (names?.has("objects") === true && names.has("refs"));
  };
  return new Set([...heads].filter(isRepository));
}
