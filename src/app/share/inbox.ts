import { openDB } from "idb";

/**
 * What other apps on this device have shared to Vibey or opened with it. It waits in a small database of its own until the user has decided about it.
 * The service worker writes it, the page reads it.
 */
export interface Handed {
  readonly title: string;
  readonly text: string;
  readonly files: readonly File[];
}

export interface Arrival extends Handed {
  readonly id: number;
}

/** The maximum of what may wait. To share more, the user has to decide first. */
export const inboxLimits = { arrivals: 50, files: 200, bytes: 512_000_000 } as const;

export interface Inbox {
  /** False: there is no room, and nothing was stored. Rejects, and stores nothing, if the browser's storage refuses. */
  put(handed: Handed): Promise<boolean>;
  /** Oldest first. */
  all(): Promise<readonly Arrival[]>;
  remove(id: number): Promise<void>;
  close(): void;
}

export const bytesOf = ({ title, text, files }: Handed): number =>
  2 * (title.length + text.length) + files.reduce((sum, { size }) => sum + size, 0);

export async function openInbox(name = "vibey-inbox"): Promise<Inbox> {
  const db = await openDB<{ arrivals: { key: number; value: Handed } }>(name, 1, {
    upgrade: (database) => void database.createObjectStore("arrivals", { autoIncrement: true }),
    blocking: (_from, _to, { target }) => target instanceof IDBDatabase && target.close(),
  });
  return {
    async put(handed) {
      const transaction = db.transaction("arrivals", "readwrite", { durability: "strict" });
      const waiting = await transaction.store.getAll();
      const bytes = waiting.reduce((sum, one) => sum + bytesOf(one), bytesOf(handed));
      const files = waiting.reduce((sum, one) => sum + one.files.length, handed.files.length);
      const fits = waiting.length < inboxLimits.arrivals && files <= inboxLimits.files && bytes <= inboxLimits.bytes;
      await Promise.all([fits && transaction.store.add(handed), transaction.done]);
      return fits;
    },
    async all() {
      const transaction = db.transaction("arrivals");
      const [keys, values] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
      await transaction.done;
      return values.flatMap((value, at) => {
        const id = keys[at];
        return id === undefined ? [] : [{ ...value, id }];
      });
    },
    remove: (id) => db.delete("arrivals", id),
    close: () => db.close(),
  };
}
