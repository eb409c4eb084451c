import { keptOpen } from "../kept-open.ts";
import type { Stored, VaultStore } from "./store.ts";

/** A vault in its own small database. */
export async function idbVaultStore(name: string): Promise<VaultStore> {
  const kept = await keptOpen<{ vault: { key: "vault"; value: Stored } }>(name, (database) => void database.createObjectStore("vault"));
  const none: Stored = { record: null, revision: 0 };
  return {
    read: () => kept.use(async (db) => (await db.get("vault", "vault")) ?? none),
    write: (record, revision) =>
      kept.use(async (db) => {
        const transaction = db.transaction("vault", "readwrite", { durability: "strict" });
        const before = (await transaction.store.get("vault")) ?? none;
        const isNewest = before.revision === revision;
        if (isNewest) await transaction.store.put({ record, revision: revision + 1 }, "vault");
        await transaction.done;
        return isNewest;
      }),
  };
}
