import { type IDBPDatabase, openDB } from "idb";

/** A small database, for as long as it is used: it is opened again when the browser has closed it. */
export interface KeptOpen<Schema> {
  use<Value>(work: (db: IDBPDatabase<Schema>) => Promise<Value>): Promise<Value>;
  close(): void;
}

/** Opens it once before it answers, so that one which can't be opened is known at the start. */
export async function keptOpen<Schema>(name: string, upgrade: (database: IDBPDatabase<Schema>) => void): Promise<KeptOpen<Schema>> {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  const open = (): Promise<IDBPDatabase<Schema>> => {
    if (opened) return opened;
    const opening = openDB<Schema>(name, 1, { upgrade, blocking: () => close(), terminated: () => leave(opening) });
    opened = opening;
    opening.catch(() => leave(opening));
    return opening;
  };
  const leave = (which: Promise<unknown>): void => {
    if (opened === which) opened = null;
  };
  const close = (): void => {
    const closing = opened;
    opened = null;
    // One that could not be opened has nothing to close, and the caller was told.
    closing?.then((db) => db.close()).catch(() => undefined);
  };
  await open();
  return {
    async use(work) {
      const current = open();
      try {
        return await work(await current);
      } catch (error) {
        // It was closed before this began: nothing of it was done.
        if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
        leave(current);
        return work(await open());
      }
    },
    close,
  };
}
