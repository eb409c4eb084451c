import type { CopyNote } from "../../fs/copy/note.ts";
import { type AgentKeyStore, type KeptAgentKey, readKeptKeys } from "../outside/key-store.ts";
import type { PriceRow } from "../cost/price.ts";
import { keptOpen } from "../kept-open.ts";
import type { StoredBridge } from "../gateways/bridge-store.ts";
import type { BridgeChoices, NoteStore, PriceStore, ProviderSettings, SandboxChoices, SettingsStore, UserStore } from "./settings.ts";

/** The key of the prices, next to the providers' settings. No provider has this name. */
const prices = "prices";
const user = "user";
const sandboxOf = (project: string) => `sandbox ${project}`;
const bridgeOf = (project: string) => `bridge ${project}`;
const agentKeysOf = (project: string) => `agent keys ${project}`;
const nodeOf = (project: string) => `node ${project}`;
const noteOf = (project: string) => `copy ${project}`;
/** The keys of everything that is stored for one project. */
const allOf = [sandboxOf, bridgeOf, agentKeysOf, nodeOf, noteOf];

/** Settings in their own small database. */
export async function idbSettings(name: string): Promise<
  SettingsStore &
    PriceStore &
    UserStore &
    SandboxChoices &
    NoteStore &
    BridgeChoices & {
      agentKeys(project: string): AgentKeyStore;
      /** Forgets everything that is stored for the project. */
      forgetProject(project: string): Promise<void>;
      close(): void;
    }
> {
  const kept = await keptOpen(name, (database) => void database.createObjectStore("providers"));
  const get = (key: string) => kept.use((db) => db.get("providers", key));
  const forget = (key: string) => kept.use((db) => db.delete("providers", key));
  const write = (
    key: string,
    value: ProviderSettings | readonly PriceRow[] | CopyNote | StoredBridge | string | readonly KeptAgentKey[],
  ): Promise<void> =>
    kept.use(async (db) => {
      // The user was told that they are saved.
      const transaction = db.transaction("providers", "readwrite", { durability: "strict" });
      await transaction.store.put(value, key);
      await transaction.done;
    });
  return {
    read: async (provider): Promise<ProviderSettings> => (await get(provider)) ?? {},
    write,
    readPrices: async (): Promise<readonly PriceRow[]> => (await get(prices)) ?? [],
    writePrices: (rows) => write(prices, rows),
    readUser: async (): Promise<string> => {
      const called: unknown = await get(user);
      return typeof called === "string" ? called : "";
    },
    writeUser: (called) => write(user, called),
    // Any other value was not written by this Vibey.
    readSandbox: async (project) => ((await get(sandboxOf(project))) === "webcontainer" ? "webcontainer" : "embedded"),
    writeSandbox: (project, chosen) => write(sandboxOf(project), chosen),
    agentKeys: (project) => ({
      read: async () => readKeptKeys(await get(agentKeysOf(project))),
      write: (keys) => write(agentKeysOf(project), keys),
    }),
    // Anything except an explicit choice of QuickJS means the browser's engine.
    readNodeEngine: async (project) => ((await get(nodeOf(project))) === "quickjs" ? "quickjs" : "browser"),
    writeNodeEngine: (project, engine) => write(nodeOf(project), engine),
    readNote: (project) => get(noteOf(project)),
    writeNote: (project, note) => write(noteOf(project), note),
    bridgeOf: (project) => ({
      readBridge: () => get(bridgeOf(project)),
      writeBridge: (bridge) => write(bridgeOf(project), bridge),
      forgetBridge: () => forget(bridgeOf(project)),
    }),
    async forgetProject(project) {
      for (const keyOf of allOf) await forget(keyOf(project));
    },
    close: () => kept.close(),
  };
}
