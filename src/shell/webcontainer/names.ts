import { type Path, parsePath } from "../../fs/path.ts";
import { isOutside } from "./outside.ts";

/** A file of the WebContainer, by its path in the project. */
export interface Named {
  /** Its name in the WebContainer, which may not be in NFC. */
  readonly name: string;
  /** All names that stand for this path, including `name`. */
  readonly names: readonly string[];
  readonly bytes: Uint8Array;
}

/**
 * Returns the WebContainer's files by the project's paths, which are in NFC. If several names stand for one path, the name in NFC wins, else the
 * first. `remark` receives a line about each of the others, and about each name that can't be a path.
 */
export function byPath(files: ReadonlyMap<string, Uint8Array>, remark: (line: string) => void): ReadonlyMap<Path, Named> {
  const found = new Map<Path, Named>();
  for (const [name, bytes] of files) {
    const parsed = parsePath(name);
    if (!parsed.ok) {
      remark(`not kept: ${JSON.stringify(name)} can't be the name of a file of the project: ${parsed.failure.why}`);
      continue;
    }
    const { path } = parsed;
    if (isOutside(path)) continue;
    const other = found.get(path);
    if (other)
      remark(
        `${JSON.stringify(path)} names two files here, which differ only in how its letters are composed; one is kept: rename the other`,
      );
    const names = [...(other?.names ?? []), name];
    found.set(path, other && name !== path ? { ...other, names } : { name, names, bytes });
  }
  return found;
}
