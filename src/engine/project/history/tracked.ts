import { canonical, type Path } from "../../../fs/path.ts";
import { isDialogPath } from "../../../protocol/write-rules.ts";

/**
 * Whether the history follows this file: the docs and the deed, and of these not
 *
 * - dialogs, which are their own log;
 * - `node_modules/`: `npm install` brings it back, and it would be most of what is stored.
 *
 * A repository of the deed's own is followed like any file: what is written there can run on the user's machine.
 *
 * What a `.gitignore` says counts for nothing here: an agent can write one.
 */
export function isTracked(path: Path): boolean {
  return !isDialogPath(path) && !canonical(path).split("/").includes("node_modules");
}
