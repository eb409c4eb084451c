import type { CopyNote } from "../../fs/copy/note.ts";
import type { NodeEngine, SandboxName } from "../../protocol/index.ts";
import type { PriceRow } from "../cost/price.ts";
import type { JsonObject } from "../../dialog/model.ts";
import type { BridgeStore } from "../gateways/bridge-store.ts";
import type { ProviderName } from "../providers/provider.ts";

/** The stored settings of a provider. Never a key. */
export interface ProviderSettings {
  readonly baseURL?: string;
  readonly model?: string;
  /** What was learned about its servers and models. See `providers/memory.ts`. */
  readonly learned?: Readonly<Record<string, JsonObject>>;
}

/** Stores settings for this device, not for the project, so no export contains them. */
export interface SettingsStore {
  read(provider: ProviderName): Promise<ProviderSettings>;
  write(provider: ProviderName, settings: ProviderSettings): Promise<void>;
}

/** The user's prices, stored with the settings. */
export interface PriceStore {
  readPrices(): Promise<readonly PriceRow[]>;
  writePrices(prices: readonly PriceRow[]): Promise<void>;
}

/** What agents call the user, stored with the settings. Empty: nothing. */
export interface UserStore {
  readUser(): Promise<string>;
  writeUser(name: string): Promise<void>;
}

/** Where the user wants each project's commands to run. `project`: its database's name. */
export interface SandboxChoices {
  readSandbox(project: string): Promise<SandboxName>;
  writeSandbox(project: string, name: SandboxName): Promise<void>;
  readNodeEngine(project: string): Promise<NodeEngine>;
  writeNodeEngine(project: string, engine: NodeEngine): Promise<void>;
}

/** The bridge settings of each project. `project`: its database's name. */
export interface BridgeChoices {
  bridgeOf(project: string): BridgeStore;
}

/** A note about each project's backup, so that the loss of both stores is noticed. `project`: its database's name. */
export interface NoteStore {
  /** The stored value, for `parseNote`. Undefined if there is none. */
  readNote(project: string): Promise<unknown>;
  writeNote(project: string, note: CopyNote): Promise<void>;
}

export function memorySettings(): SettingsStore & PriceStore & UserStore {
  const kept = new Map<ProviderName, ProviderSettings>();
  let prices: readonly PriceRow[] = [];
  let user = "";
  return {
    read: async (provider) => kept.get(provider) ?? {},
    write: async (provider, settings) => void kept.set(provider, settings),
    readPrices: async () => prices,
    writePrices: async (next) => void (prices = next),
    readUser: async () => user,
    writeUser: async (name) => void (user = name),
  };
}
