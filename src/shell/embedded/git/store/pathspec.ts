import { failed, fatal } from "../stop.ts";
import { globPattern } from "./ignore.ts";

/** The paths of the repository that a command applies to. */
export interface Pathspec {
  /** No path was given: every path matches. */
  readonly all: boolean;
  readonly matches: (path: string) => boolean;
  /** Whether a path below this folder could match. */
  mayMatchBelow(folder: string): boolean;
  /** The given texts that match none of these paths. */
  unmatched(paths: Iterable<string>): readonly string[];
}

/** Parses paths as typed, relative to `cwd`. `top`: the repository's top folder. */
export function pathspec(given: readonly string[], cwd: string, top: string, resolve: (base: string, path: string) => string): Pathspec {
  const specs = given.map((text) => oneSpec(text, cwd, top, resolve));
  const including = specs.filter((spec) => !spec.excluding);
  const excluding = specs.filter((spec) => spec.excluding);
  return {
    all: specs.length === 0,
    matches: (path) =>
      (including.length === 0 || including.some((spec) => spec.matches(path))) && !excluding.some((spec) => spec.matches(path)),
    mayMatchBelow: (folder) =>
      including.length === 0 ||
      including.some((spec) => spec.matches(folder) || spec.root.startsWith(`${folder}/`) || `${folder}/`.startsWith(spec.root)),
    unmatched(paths) {
      const list = [...paths];
      return including.filter((spec) => spec.path !== "" && !list.some((path) => spec.matches(path))).map((spec) => spec.text);
    },
  };
}

interface Spec {
  readonly text: string;
  readonly path: string;
  readonly excluding: boolean;
  /** The path that every match starts with. */
  readonly root: string;
  readonly matches: (path: string) => boolean;
}

function oneSpec(text: string, cwd: string, top: string, resolve: (base: string, path: string) => string): Spec {
  if (text === "") fatal("empty string is not a valid pathspec. please use . instead if you meant to match all paths");
  const magic = /^:(?:\(([a-z,]*)\)|([!^/]+))(.*)$/s.exec(text);
  const words = magic?.[1]?.split(",") ?? [];
  const odd = words.find((word) => !["top", "exclude", "glob", "literal", ""].includes(word));
  if (odd !== undefined) failed(`Vibey's git has no pathspec magic '${odd}' (in '${text}')`, 128);
  const excluding = words.includes("exclude") || /[!^]/.test(magic?.[2] ?? "");
  const fromTop = words.includes("top") || (magic?.[2] ?? "").includes("/");
  const full = resolve(fromTop ? top : cwd, magic ? (magic[3] ?? "") : text);
  if (full !== top && !full.startsWith(top === "/" ? top : `${top}/`)) fatal(`${text}: '${text}' is outside repository at '${top}'`);
  const path = full === top ? "" : full.slice(top.length + 1);
  const wild = words.includes("literal") ? -1 : path.search(/[*?[\\]/);
  const pattern = wild < 0 ? null : globPattern(path, words.includes("glob"));
  return {
    text,
    path,
    excluding,
    root: wild < 0 ? path : path.slice(0, wild),
    matches: (other) => path === "" || other === path || other.startsWith(`${path}/`) || pattern?.test(other) === true,
  };
}
