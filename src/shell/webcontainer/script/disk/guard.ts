import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { canonicalText, type Path, parsePath } from "../../../../fs/path.ts";
import { dialogRefusal } from "../../../../protocol/write-rules.ts";

/** Says what may not be changed. The engine undoes what real programs do to such files; here it is refused at once, with the reason. */
export interface Guard {
  /** Why the file may not be changed; null: it may. `follows`: what a link at its end leads to is changed. */
  refusal(path: string, follows: boolean): Refusal | null;
  /** A folder that stays, whatever is removed: the project's, those above it, and the one of docs and dialogs. */
  stays(path: string): boolean;
  /** A folder that is above the project's, which can't be removed with what is in it. */
  isAbove(path: string): boolean;
  /** What may not be changed can be in this folder. */
  mayHold(path: string): boolean;
}

export interface Refusal {
  readonly code: "EROFS" | "EINVAL";
  readonly why: string;
}

export function createGuard(project: string): Guard {
  const roots = [...new Set([project, trueName(project)])];
  const below = (path: string, root: string): boolean => path.startsWith(`${root}/`);

  /** The project's path of an absolute one; null outside the project, for its folder itself, and for what no project holds. */
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

  /** Under its own name and under the one that it has once the links above it are followed. */
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

/** Links that lead to links, at most. */
const maxLinks = 40;

/** Where a path is, the links to its folder followed. */
function placeOf(path: string): string {
  const folder = trueName(dirname(path));
  return path === "/" ? path : `${folder === "/" ? "" : folder}/${path.slice(path.lastIndexOf("/") + 1)}`;
}

/** Where a path leads, all links followed, also when nothing is there. */
function trueName(path: string, links = maxLinks): string {
  try {
    return realpathSync(path);
  } catch {
    // It leads nowhere yet, or not to where we may look: then its folder's name counts.
    const parent = dirname(path);
    if (parent === path) return path;
    const folder = trueName(parent, links);
    const here = `${folder === "/" ? "" : folder}/${path.slice(path.lastIndexOf("/") + 1)}`;
    const isLink = lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLink && links > 0 ? trueName(resolve(folder, readlinkSync(here)), links - 1) : here;
  }
}
