import { openDB } from "idb";
import type { ProviderSettings, SettingsStore } from "./settings.ts";

/** Settings in a small database of their own. */
export async function idbSettings(name: string): Promise<SettingsStore> {
  const db = await openDB<{ providers: { key: string; value: ProviderSettings } }>(name, 1, {
    upgrade: (database) => void database.createObjectStore("providers"),
  });
  return {
    read: async (provider) => (await db.get("providers", provider)) ?? {},
    async write(provider, settings) {
      // A human was told that they are saved.
      const transaction = db.transaction("providers", "readwrite", { durability: "strict" });
      await transaction.store.put(settings, provider);
      await transaction.done;
    },
  };
}
