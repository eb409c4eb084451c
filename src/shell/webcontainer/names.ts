import { type Path, parsePath } from "../../fs/path.ts";
import { isOutside } from "./outside.ts";

/** A file of the WebContainer under the project's path for it. */
export interface Named {
  /** As the WebContainer has it: not in NFC, perhaps. */
  readonly name: string;
  /** All that are this path, that one among them. */
  readonly names: readonly string[];
  readonly bytes: Uint8Array;
}

/**
 * The WebContainer's files by the project's paths, which are in NFC. Of several names that are one path, the one in NFC is taken, else the first;
 * `remark` is told of the others, and of what can be no path at all.
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
