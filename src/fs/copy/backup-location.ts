import { StorageError } from "../storage-error.ts";

/**
 * The file of one generation while it is open; no one else can open it meanwhile. What a browser's synchronous access handle is. Its
 * calls throw a `DOMException` when the disk refuses.
 */
export interface LogFile {
  /** Bytes. */
  getSize(): number;
  /** Fills `buffer` from the byte `at` on; answers how many there were. */
  read(buffer: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  write(buffer: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

/** Where the generations of a backup are kept: one file each, outside of the database that they are a copy of. */
export interface BackupLocation {
  /** The numbers of those that are there, ascending. */
  generations(): Promise<readonly number[]>;
  /** Opens it, made empty where it is not there. Null: another worker has it open. */
  open(generation: number): Promise<LogFile | null>;
  /** Does nothing when it is not there, or when another worker has it open. */
  remove(generation: number): Promise<void>;
}

const fileName = (generation: number) => `generation-${generation}.log`;

/** A folder of the origin's private file system. Rejects with a `StorageError` where there is none, as in some browsers' private windows. */
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

/** Someone has the file open: the second is WebKit's name for it. */
const busy = ["NoModificationAllowedError", "InvalidStateError"];

async function asked<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw locationError(error);
  }
}

/** Calls what a browser may lack: then it gives a TypeError, as a mistake of ours elsewhere does. */
export async function privateFiles<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StorageError("broken", "this browser has no private files for a page", { cause: error });
  }
}

/** The file system's own error as ours; anything else is a programmer's mistake and comes back as it is. */
export function locationError(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  return new StorageError(error.name === "QuotaExceededError" ? "full" : "broken", `${error.name}: ${error.message}`, { cause: error });
}
