import { canonical, type Path } from "../../../fs/path.ts";
import { isDialogPath } from "../../../protocol/write-rules.ts";

/**
 * Whether the history tracks this file. It tracks the docs and the deed, except:
 *
 * - dialogs, which are their own log;
 * - `node_modules/`, which `npm install` can restore and which would be most of the stored data.
 *
 * A Git repository inside the deed is tracked like any other files, because its files can run on the user's machine.
 *
 * A `.gitignore` has no effect here, because an agent can write one.
 */
export function isTracked(path: Path): boolean {
  return !isDialogPath(path) && !canonical(path).split("/").includes("node_modules");
}
