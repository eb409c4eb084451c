import { openDB } from "idb";
import type { Stored, VaultStore } from "./store.ts";

/** A vault in a small database of its own. */
export async function idbVaultStore(name: string): Promise<VaultStore> {
  const db = await openDB<{ vault: { key: "vault"; value: Stored } }>(name, 1, {
    upgrade: (database) => void database.createObjectStore("vault"),
  });
  const none: Stored = { record: null, revision: 0 };
  return {
    read: async () => (await db.get("vault", "vault")) ?? none,
    async write(record, revision) {
      const transaction = db.transaction("vault", "readwrite", { durability: "strict" });
      const before = (await transaction.store.get("vault")) ?? none;
      const isNewest = before.revision === revision;
      if (isNewest) await transaction.store.put({ record, revision: revision + 1 }, "vault");
      await transaction.done;
      return isNewest;
    },
  };
}
