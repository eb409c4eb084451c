import { parsePath } from "../../fs/path.ts";

/** A file as the history names it; null: no file has such a name, and a text that says so was written by hand. */
export function stepPath(path: string): string | null {
  const parsed = parsePath(path);
  return parsed.ok ? parsed.path : null;
}
