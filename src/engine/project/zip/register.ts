import { openDB } from "idb";

/** A project besides the first one. `making`: its import has begun and is not complete yet. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly state: "making" | "whole";
}

/** The projects of this browser, in a small database of their own. A new project is registered before it is created. */
export interface Register {
  all(): Promise<readonly Entry[]>;
  /** Resolves when the entry is on disk. */
  put(entry: Entry): Promise<void>;
  forget(id: string): Promise<void>;
  close(): void;
}

export async function openRegister(name = "vibey-projects"): Promise<Register> {
  const db = await openDB<{ projects: { key: string; value: Entry } }>(name, 1, {
    upgrade: (database) => void database.createObjectStore("projects", { keyPath: "id" }),
    // Don't block a newer version of Vibey in another tab.
    blocking: (_from, _to, { target }) => target instanceof IDBDatabase && target.close(),
  });
  return {
    all: () => db.getAll("projects"),
    async put(entry) {
      const transaction = db.transaction("projects", "readwrite", { durability: "strict" });
      await transaction.store.put(entry);
      await transaction.done;
    },
    forget: (id) => db.delete("projects", id),
    close: () => db.close(),
  };
}
