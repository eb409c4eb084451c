import { joinBytes } from "../bytes.ts";
import { StorageError } from "../storage-error.ts";
import { contentOf, type Contents, type CopiedFile, emptyContents, take } from "./contents.ts";
import type { LogFile } from "./backup-location.ts";
import { sizeOf } from "./pieces.ts";
import { type Head, recordStart, strideBytes } from "./record.ts";

/** A generation that is being written. */
export interface OpenLog {
  readonly contents: Contents;
  readonly content: (file: CopiedFile) => Uint8Array<ArrayBuffer>;
  /** Writes a whole record, or throws and leaves the log as it was. */
  append(head: Head, data?: readonly Uint8Array[]): Promise<void>;
  flush(): void;
  /** Keeps the log open for a reader although it may be retired. Returns a function that ends the use. */
  use(): () => void;
  /** Closes the log once no one uses it. */
  retire(): void;
  close(): void;
}

/** Continues a log with the given contents and cuts off what follows them, or begins a new log with `first`. */
export async function openLog(file: LogFile, contents: Contents): Promise<OpenLog>;
export async function openLog(file: LogFile, contents: null, first: Extract<Head, { op: "begin" }>): Promise<OpenLog>;
export async function openLog(file: LogFile, known: Contents | null, first?: Extract<Head, { op: "begin" }>): Promise<OpenLog> {
  const contents = known ?? emptyContents(first?.project ?? "", first?.generation ?? 0);
  file.truncate(contents.end);

  /** Returns the position of the record's data. */
  async function put(head: Head, data: readonly Uint8Array[]): Promise<number> {
    const start = await recordStart(head, data);
    const isShort = start.length + sizeOf(data) <= strideBytes;
    let end = contents.end;
    try {
      for (const piece of isShort ? [joinBytes([start, ...data])] : strides([start, ...data])) {
        const written = file.write(piece, { at: end });
        // A browser may return an error number instead of throwing.
        if (!(written <= piece.length)) throw new StorageError("full", "the browser could not write it, and did not say why");
        if (written !== piece.length) throw new StorageError("full", `only ${written} bytes of ${piece.length} could be written`);
        end += written;
        if (!isShort) await new Promise((resolve) => setTimeout(resolve));
      }
    } catch (error) {
      file.truncate(contents.end);
      throw error;
    }
    contents.end = end;
    return end - sizeOf(data);
  }

  let users = 0;
  let isRetired = false;
  const closeUnused = (): void => {
    if (isRetired && users === 0) file.close();
  };

  if (first) await put(first, []);
  return {
    contents,
    content: (copied) => joinBytes([...contentOf(file, copied)]),
    async append(head, data = []) {
      const at = await put(head, data);
      if (!take(contents, head, at, sizeOf(data))) throw new RangeError(`a record contradicts those before it: ${JSON.stringify(head)}`);
    },
    flush: () => file.flush(),
    use() {
      let ended = false;
      users += 1;
      return () => {
        if (ended) return;
        ended = true;
        users -= 1;
        closeUnused();
      };
    },
    retire() {
      isRetired = true;
      closeUnused();
    },
    close: () => file.close(),
  };
}

/** Each piece is a copy in a buffer that is certainly not shared: a file's handle accepts no other. */
function* strides(pieces: readonly Uint8Array[]): Generator<Uint8Array<ArrayBuffer>> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += strideBytes) yield new Uint8Array(piece.subarray(at, at + strideBytes));
}
