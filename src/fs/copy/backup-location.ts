import { StorageError } from "../storage-error.ts";

/**
 * The open file of one generation. No one else can open it at the same time. A subset of a browser's synchronous access handle. Its calls throw a
 * `DOMException` if the disk refuses.
 */
export interface LogFile {
  /** In bytes. */
  getSize(): number;
  /** Fills `buffer` from byte `at` on. Returns the number of bytes read. */
  read(buffer: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  write(buffer: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

/** Where the generations of a backup are stored: one file each, outside the database that they back up. */
export interface BackupLocation {
  /** The numbers of the existing generations, ascending. */
  generations(): Promise<readonly number[]>;
  /** Opens the generation and creates it if it does not exist. Null: another worker has it open. */
  open(generation: number): Promise<LogFile | null>;
  /** Does nothing if it does not exist, or if another worker has it open. */
  remove(generation: number): Promise<void>;
}

const fileName = (generation: number) => `generation-${generation}.log`;

/** A folder of the origin's private file system. Rejects with a `StorageError` if there is none, as in some browsers' private windows. */
export async function opfsLocation(name: string): Promise<BackupLocation> {
  const folder = await asked(async () =>
    (await privateFiles(() => navigator.storage.getDirectory())).getDirectoryHandle(name, { create: true }),
  );
  return {
    generations: () =>
      asked(async () => {
        const found: number[] = [];
        for await (const file of folder.keys()) {
          const number = /^generation-(\d{1,15})\.log$/.exec(file)?.[1];
          if (number !== undefined) found.push(Number(number));
        }
        return found.toSorted((a, b) => a - b);
      }),
    open: (generation) =>
      asked(async () => {
        const file = await folder.getFileHandle(fileName(generation), { create: true });
        return unless(busy, () => privateFiles(() => file.createSyncAccessHandle()));
      }),
    async remove(generation) {
      await asked(() => unless([...busy, "NotFoundError"], () => folder.removeEntry(fileName(generation))));
    },
  };
}

/** Null: it failed for one of these reasons. */
async function unless<Value>(reasons: readonly string[], work: () => Promise<Value>): Promise<Value | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DOMException && reasons.includes(error.name)) return null;
    throw error;
  }
}

/** Someone has the file open. The second name is WebKit's. */
const busy = ["NoModificationAllowedError", "InvalidStateError"];

async function asked<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw locationError(error);
  }
}

/** Calls something that a browser may lack. A missing function gives a TypeError, which elsewhere means a mistake of ours. */
export async function privateFiles<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StorageError("broken", "this browser has no private files for a page", { cause: error });
  }
}

/** Converts a file system error to ours. Any other error is a programmer's mistake and is returned unchanged. */
export function locationError(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  return new StorageError(error.name === "QuotaExceededError" ? "full" : "broken", `${error.name}: ${error.message}`, { cause: error });
}
