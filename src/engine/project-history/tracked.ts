import { canonical, type Path } from "../../fs/path.ts";
import { isDialogPath } from "../write-rules.ts";

/**
 * Whether the history follows this file: the docs and the deed, and of these not
 *
 * - dialogs, which are their own log;
 * - a repository of the deed's own, and any other name that git refuses in a tree;
 * - `node_modules/`: `npm install` brings it back, and it would be most of what is stored.
 *
 * What a `.gitignore` says counts for nothing here: an agent can write one.
 */
export function isTracked(path: Path): boolean {
  return !isDialogPath(path) && !canonical(path).split("/").some(isLeftOut);
}

function isLeftOut(segment: string): boolean {
  return segment === ".git" || segment === "git~1" || segment === "node_modules";
}
