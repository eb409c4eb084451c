import { type Path, parsePath } from "./path.ts";

const folder = "vibey/";

/** Whether a text can be the name of a doc, a profile or a dialog: `[a-zA-Z0-9_\-.]+`, ending in `.md`, without `..`, short enough for a path. */
export function isVibeyName(name: string): boolean {
  return /^[a-zA-Z0-9_\-.]+$/.test(name) && name.endsWith(".md") && !name.includes("..") && parsePath(folder + name).ok;
}

/** The path of a doc, a profile or a dialog. Throws if `name` is not a valid name: check a text from outside with `isVibeyName`. */
export function vibeyPath(name: string): Path {
  const parsed = parsePath(folder + name);
  if (!parsed.ok || !isVibeyName(name)) throw new RangeError(`not the name of a file in vibey/: ${JSON.stringify(name)}`);
  return parsed.path;
}

/** The name from which `vibeyPath` made the path. Null for any other path. */
export function nameOf(path: Path): string | null {
  if (!path.startsWith(folder)) return null;
  const name = path.slice(folder.length);
  return isVibeyName(name) ? name : null;
}
