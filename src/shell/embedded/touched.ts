import { joinBytes } from "../../fs/bytes.ts";
import type { Path } from "../../fs/path.ts";
import type { FileOp } from "./protocol.ts";

export interface TouchedFile {
  readonly path: Path;
  /** Null: the file is gone. */
  readonly bytes: Uint8Array | null;
  /** The number of leading bytes that are unchanged, if the file was only appended to; null: it was changed in another way. */
  readonly keeps: number | null;
}

/** What a command has done to the project's files so far. */
export interface Touched {
  apply(op: FileOp): void;
  /** Each file that it touched, in its current state. */
  files(): TouchedFile[];
  /** Whether it touched this file since the last call of `takeFresh`. */
  isFresh(path: Path): boolean;
  /** The files that it touched since the last call. */
  takeFresh(): TouchedFile[];
}

export function createTouched(): Touched {
  const files = new Map<Path, Uint8Array[] | null>();
  const kept = new Map<Path, number | null>();
  let fresh = new Set<Path>();
  const now = (path: Path): TouchedFile => {
    const pieces = files.get(path) ?? null;
    return { path, bytes: pieces && joinBytes(pieces), keeps: kept.get(path) ?? null };
  };
  return {
    apply(op) {
      fresh.add(op.path);
      if (op.type !== "append") kept.set(op.path, op.type === "write" && !files.has(op.path) ? (op.keeps ?? null) : null);
      if (op.type === "remove") files.set(op.path, null);
      else if (op.type === "write") files.set(op.path, [op.bytes]);
      else {
        const pieces = files.get(op.path);
        if (!pieces) throw new RangeError(`an append to ${op.path}, which was not written in this command`);
        pieces.push(op.bytes);
      }
    },
    files: () => [...files.keys()].map(now),
    isFresh: (path) => fresh.has(path),
    takeFresh() {
      const paths = fresh;
      fresh = new Set();
      return [...paths].map(now);
    },
  };
}
