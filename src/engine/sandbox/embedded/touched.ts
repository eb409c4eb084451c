import { joinBytes } from "../../../fs/bytes.ts";
import type { Path } from "../../../fs/path.ts";
import type { FileOp } from "./protocol.ts";

/** What a command has done to the project's files so far: for each file that it touched, the content now, null when it is gone. */
export interface Touched {
  apply(op: FileOp): void;
  files(): { readonly path: Path; readonly bytes: Uint8Array | null }[];
}

export function createTouched(): Touched {
  const files = new Map<Path, Uint8Array[] | null>();
  return {
    apply(op) {
      if (op.type === "remove") files.set(op.path, null);
      else if (op.type === "write") files.set(op.path, [op.bytes]);
      else {
        const pieces = files.get(op.path);
        if (!pieces) throw new RangeError(`an append to ${op.path}, which was not written in this command`);
        pieces.push(op.bytes);
      }
    },
    files: () => [...files].map(([path, pieces]) => ({ path, bytes: pieces && joinBytes(pieces) })),
  };
}
