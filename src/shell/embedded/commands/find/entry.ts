import type { FsStat } from "just-bash/browser";
import { absolute, linkStatOf, type Place, statOf } from "../files.ts";

/** A file or folder that `find` visits. */
export interface Entry {
  /** The path that is printed: below the given starting point. */
  readonly path: string;
  /** The starting point above it, as given. */
  readonly start: string;
  readonly depth: number;
  /** The last segment of the path. */
  readonly name: string;
  stat(): Promise<FsStat>;
  /** `f`, `d` or `l`. */
  kind(): Promise<string>;
  /** The contents of a folder; empty for a file. */
  children(): Promise<readonly string[]>;
}

export function entryAt(place: Place, path: string, start: string, depth: number, follows: boolean): Entry {
  let known: FsStat | null = null;
  async function stat(): Promise<FsStat> {
    known ??= (follows ? await statOf(place, path) : null) ?? (await linkStatOf(place, path));
    if (known === null) throw new Error(`ENOENT: no such file or directory, stat '${path}'`);
    return known;
  }
  return {
    path,
    start,
    depth,
    name: path === "/" ? "/" : path.replace(/\/+$/, "").replace(/^.*\//, ""),
    stat,
    async kind() {
      const { isDirectory, isSymbolicLink } = await stat();
      return isSymbolicLink ? "l" : isDirectory ? "d" : "f";
    },
    children: async () => ((await stat()).isDirectory ? place.fs.readdir(absolute(place, path)) : []),
  };
}
