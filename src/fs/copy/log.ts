import { StorageError } from "../storage-error.ts";
import { contentOf, type Contents, type CopiedFile, emptyContents, take } from "./contents.ts";
import type { LogFile } from "./place.ts";
import { encodeRecord, type Head } from "./record.ts";

/** A generation that is being written. */
export interface OpenLog {
  readonly contents: Contents;
  readonly content: (file: CopiedFile) => Uint8Array<ArrayBuffer>;
  /** Writes a whole record, or throws and leaves the log as it was. */
  append(head: Head, data?: Uint8Array): Promise<void>;
  flush(): void;
  close(): void;
}

/** Bytes that are written in one go; between two such pieces whoever else waits for this thread has its turn. */
const strideBytes = 1_000_000;

const nothing = new Uint8Array();

/** Goes on with a log whose contents are given: what stands behind them is cut off. Or begins one, with `first`. */
export async function openLog(file: LogFile, contents: Contents): Promise<OpenLog>;
export async function openLog(file: LogFile, contents: null, first: Extract<Head, { op: "begin" }>): Promise<OpenLog>;
export async function openLog(file: LogFile, known: Contents | null, first?: Extract<Head, { op: "begin" }>): Promise<OpenLog> {
  const contents = known ?? emptyContents(first?.project ?? "", first?.generation ?? 0);
  file.truncate(contents.end);

  /** Answers where the record's data begin. */
  async function put(head: Head, data: Uint8Array): Promise<number> {
    const record = await encodeRecord(head, data);
    try {
      for (let at = 0; at < record.length; at += strideBytes) {
        const piece = record.subarray(at, at + strideBytes);
        const written = file.write(piece, { at: contents.end + at });
        if (written !== piece.length) throw new StorageError("full", `only ${written} bytes of ${piece.length} could be written`);
        if (at + strideBytes < record.length) await new Promise((resolve) => setTimeout(resolve));
      }
    } catch (error) {
      file.truncate(contents.end);
      throw error;
    }
    contents.end += record.length;
    return contents.end - data.length;
  }

  if (first) await put(first, nothing);
  return {
    contents,
    content: (copied) => contentOf(file, copied),
    async append(head, data = nothing) {
      const at = await put(head, data);
      if (!take(contents, head, at, data.length)) throw new RangeError(`a record contradicts those before it: ${JSON.stringify(head)}`);
    },
    flush: () => file.flush(),
    close: () => file.close(),
  };
}
