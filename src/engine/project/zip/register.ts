import { openDB } from "idb";

/** A project beside the first one. `making`: its import has begun, and has not said yet that it is whole. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly state: "making" | "whole";
}

/** The projects of this browser, in a small database of their own: what is about to be made is written down first. */
export interface Register {
  all(): Promise<readonly Entry[]>;
  /** On disk when it resolves. */
  put(entry: Entry): Promise<void>;
  forget(id: string): Promise<void>;
  close(): void;
}

export async function openRegister(name = "vibey-projects"): Promise<Register> {
  const db = await openDB<{ projects: { key: string; value: Entry } }>(name, 1, {
    upgrade: (database) => void database.createObjectStore("projects", { keyPath: "id" }),
    // Another tab's newer program is not kept waiting.
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
