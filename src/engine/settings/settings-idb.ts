import { openDB } from "idb";
import type { CopyNote } from "../../fs/copy/note.ts";
import type { PriceRow } from "../cost/price.ts";
import type { SandboxName } from "../../protocol/index.ts";
import type { NoteStore, PriceStore, ProviderSettings, SandboxChoices, SettingsStore } from "./settings.ts";

/** Where the prices stand, beside what is kept of each provider; no provider is called so. */
const prices = "prices";
const sandboxOf = (project: string) => `sandbox ${project}`;
const noteOf = (project: string) => `copy ${project}`;

/** Settings in a small database of their own. */
export async function idbSettings(name: string): Promise<SettingsStore & PriceStore & SandboxChoices & NoteStore & { close(): void }> {
  const db = await openDB(name, 1, { upgrade: (database) => void database.createObjectStore("providers") });
  async function write(key: string, value: ProviderSettings | readonly PriceRow[] | SandboxName | CopyNote): Promise<void> {
    // A human was told that they are saved.
    const transaction = db.transaction("providers", "readwrite", { durability: "strict" });
    await transaction.store.put(value, key);
    await transaction.done;
  }
  return {
    read: async (provider): Promise<ProviderSettings> => (await db.get("providers", provider)) ?? {},
    write,
    readPrices: async (): Promise<readonly PriceRow[]> => (await db.get("providers", prices)) ?? [],
    writePrices: (rows) => write(prices, rows),
    // Whatever else stands there was not written by this Vibey.
    readSandbox: async (project) => ((await db.get("providers", sandboxOf(project))) === "webcontainer" ? "webcontainer" : "embedded"),
    writeSandbox: (project, chosen) => write(sandboxOf(project), chosen),
    readNote: (project) => db.get("providers", noteOf(project)),
    writeNote: (project, note) => write(noteOf(project), note),
    close: () => db.close(),
    forgetNote: (project) => db.delete("providers", noteOf(project)),
  };
}
