import { type IDBPDatabase, openDB } from "idb";

/** A small database that stays open while it is used. It is opened again if the browser has closed it. */
export interface KeptOpen<Schema> {
  use<Value>(work: (db: IDBPDatabase<Schema>) => Promise<Value>): Promise<Value>;
  close(): void;
}

/** Opens the database before it returns, so that a database that can't be opened is noticed at the start. */
export async function keptOpen<Schema>(name: string, upgrade: (database: IDBPDatabase<Schema>) => void): Promise<KeptOpen<Schema>> {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  const forget = (error: unknown): never => {
    opened = null;
    throw error;
  };
  const open = () => (opened ??= openDB<Schema>(name, 1, { upgrade }).catch(forget));
  await open();
  return {
    use: async (work) => {
      const db = await open();
      try {
        return await work(db);
      } catch (error) {
        if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
        // The database was closed before this work began, so none of it was done.
        opened = null;
        return work(await open());
      }
    },
    close: async () => (await opened)?.close(),
  };
}
