import { parsePath } from "../../fs/path.ts";

/** A file as the history names it. */
export function stepPath(path: string): string {
  const parsed = parsePath(path);
  return parsed.ok ? parsed.path : path;
}
