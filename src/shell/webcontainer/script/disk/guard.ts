import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { canonicalText, type Path, parsePath } from "../../../../fs/path.ts";
import { dialogRefusal } from "../../../../protocol/write-rules.ts";

/**
 * Knows what may not be changed. The engine undoes changes that real programs make to such files; the shell refuses them at once, with the reason.
 */
export interface Guard {
  /** Returns why the file may not be changed; null: it may. `follows`: a link at the end of the path is followed, so its target is changed. */
  refusal(path: string, follows: boolean): Refusal | null;
  /** Whether the folder can't be removed: the project's folder, those above it, and the folder of docs and dialogs. */
  stays(path: string): boolean;
  /** Whether the folder is above the project's. It can't be removed with its contents. */
  isAbove(path: string): boolean;
  /** Whether the folder may contain something that may not be changed. */
  mayHold(path: string): boolean;
}

export interface Refusal {
  readonly code: "EROFS" | "EINVAL";
  readonly why: string;
}

export function createGuard(project: string): Guard {
  const roots = [...new Set([project, trueName(project)])];
  const below = (path: string, root: string): boolean => path.startsWith(`${root}/`);

  /** Returns the project path of an absolute path. Null: outside the project, the project's folder itself, or what no project stores. */
  function inProject(path: string): Path | Refusal | null {
    const root = roots.find((each) => below(path, each));
    if (root === undefined) return null;
    const text = path.slice(root.length + 1);
    if (text.split("/").includes("node_modules")) return null;
    const parsed = parsePath(text);
    return parsed.ok ? parsed.path : { code: "EINVAL", why: `'${path}' can't be the name of a file of the project: ${parsed.failure.why}` };
  }

  function refusalOf(path: string): Refusal | null {
    const found = inProject(path);
    if (found === null || typeof found === "object") return found;
    const why = dialogRefusal(found);
    return why === null ? null : { code: "EROFS", why };
  }

  const vibeyOf = (path: string): string | null => {
    const root = roots.find((each) => below(path, each));
    return root === undefined ? null : canonicalText(path.slice(root.length + 1));
  };

  /** Checks the path as given, and the path with the links of its folders resolved. */
  const named = (path: string, is: (name: string) => boolean): boolean => is(path) || is(placeOf(path));
  const isAbove = (path: string): boolean => named(path, (name) => roots.some((root) => name === "/" || below(root, name)));
  const isRoot = (path: string): boolean => named(path, (name) => roots.includes(name));
  return {
    isAbove,
    refusal: (path, follows) => refusalOf(path) ?? refusalOf(follows ? trueName(path) : placeOf(path)),
    stays: (path) => isAbove(path) || isRoot(path) || named(path, (name) => roots.some((root) => name === `${root}/vibey`)),
    mayHold: (path) => isAbove(path) || isRoot(path) || vibeyOf(path) === "vibey" || vibeyOf(trueName(path)) === "vibey",
  };
}

/** The maximum number of links to links. */
const maxLinks = 40;

/** Returns the path with the links of its folder resolved. */
function placeOf(path: string): string {
  const folder = trueName(dirname(path));
  return path === "/" ? path : `${folder === "/" ? "" : folder}/${path.slice(path.lastIndexOf("/") + 1)}`;
}

/** Returns the path with all links resolved, even if no file exists there. */
function trueName(path: string, links = maxLinks): string {
  try {
    return realpathSync(path);
  } catch {
    // The target does not exist yet or may not be read: use its folder's resolved name.
    const parent = dirname(path);
    if (parent === path) return path;
    const folder = trueName(parent, links);
    const here = `${folder === "/" ? "" : folder}/${path.slice(path.lastIndexOf("/") + 1)}`;
    const isLink = lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLink && links > 0 ? trueName(resolve(folder, readlinkSync(here)), links - 1) : here;
  }
}
