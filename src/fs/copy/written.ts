import { type CopyNote, noteText, readNoteText } from "./note.ts";
import { StorageError } from "../storage-error.ts";
import { locationError, privateFiles } from "./backup-location.ts";

/**
 * Whether anything of a project was ever stored. Recorded outside the database, because a browser that loses the database silently opens an empty
 * one, and the backup begins only a moment after the first words. With this mark, such a project is not taken for a new one.
 */
export interface Written {
  note(): Promise<void>;
  isNoted(): Promise<boolean>;
  /** Replaces the note about the backup. */
  write(note: CopyNote): Promise<void>;
  /** The note about the backup. Null if there is none, or it is damaged. */
  read(): Promise<CopyNote | null>;
}

const fileName = "written";

/** In the folder of the backup. Rejects with a `StorageError` if a browser has no private files. */
export function opfsWritten(name: string): Written {
  const folder = async (): Promise<FileSystemDirectoryHandle> =>
    (await privateFiles(() => navigator.storage.getDirectory())).getDirectoryHandle(name, { create: true });
  const asked = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      throw locationError(error);
    }
  };
  /** Null: there is none. */
  const find = () =>
    asked(async () => {
      try {
        return await (await folder()).getFileHandle(fileName);
      } catch (error) {
        if (error instanceof DOMException && error.name === "NotFoundError") return null;
        throw error;
      }
    });
  return {
    note: () => asked(async () => void (await (await folder()).getFileHandle(fileName, { create: true }))),
    isNoted: async () => (await find()) !== null,
    write: (note) =>
      asked(async () => {
        const file = await (await folder()).getFileHandle(fileName, { create: true });
        const handle = await privateFiles(() => file.createSyncAccessHandle());
        try {
          const bytes = new TextEncoder().encode(noteText(note));
          const written = handle.write(bytes, { at: 0 });
          // A browser may return an error number instead of throwing.
          if (written !== bytes.length) throw new StorageError("full", "the note about the backup could not be written");
          handle.truncate(bytes.length);
        } finally {
          handle.close();
        }
      }),
    async read() {
      const handle = await find();
      return handle && asked(async () => readNoteText(await (await handle.getFile()).text()));
    },
  };
}
