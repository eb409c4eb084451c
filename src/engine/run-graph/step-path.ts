import { parsePath } from "../../fs/path.ts";

/** A file's path as the history names it. Null: it is not a valid path, so the text with it was written by hand. */
export function stepPath(path: string): string | null {
  const parsed = parsePath(path);
  return parsed.ok ? parsed.path : null;
}
