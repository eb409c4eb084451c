import type { CopyNote } from "../../fs/copy/note.ts";
import type { NodeEngine, SandboxName } from "../../protocol/index.ts";
import type { PriceRow } from "../cost/price.ts";
import type { JsonObject } from "../../dialog/model.ts";
import type { BridgeStore } from "../gateways/bridge-store.ts";
import type { ProviderName } from "../providers/provider.ts";

/** What is kept of a provider between visits. Never a key. */
export interface ProviderSettings {
  readonly baseURL?: string;
  readonly model?: string;
  /** What it has learned about servers and models; see `providers/memory.ts`. */
  readonly learned?: Readonly<Record<string, JsonObject>>;
}

/** Where settings are kept: of this device, not of the project, so that no export carries them. */
export interface SettingsStore {
  read(provider: ProviderName): Promise<ProviderSettings>;
  write(provider: ProviderName, settings: ProviderSettings): Promise<void>;
}

/** The prices that the user gave; kept with the settings. */
export interface PriceStore {
  readPrices(): Promise<readonly PriceRow[]>;
  writePrices(prices: readonly PriceRow[]): Promise<void>;
}

/** What agents call the user; kept with the settings. "": nothing. */
export interface UserStore {
  readUser(): Promise<string>;
  writeUser(name: string): Promise<void>;
}

/** What the user chose each project's commands to run in. `project`: its database's name. */
export interface SandboxChoices {
  readSandbox(project: string): Promise<SandboxName>;
  writeSandbox(project: string, name: SandboxName): Promise<void>;
  readNodeEngine(project: string): Promise<NodeEngine>;
  writeNodeEngine(project: string, engine: NodeEngine): Promise<void>;
}

/** How each project is reached from outside. `project`: its database's name. */
export interface BridgeChoices {
  bridgeOf(project: string): BridgeStore;
}

/** What is remembered of each project's backup, so that it is missed when both stores are gone. `project`: its database's name. */
export interface NoteStore {
  /** What stands there, which `parseNote` reads; undefined: nothing. */
  readNote(project: string): Promise<unknown>;
  writeNote(project: string, note: CopyNote): Promise<void>;
  forgetNote(project: string): Promise<void>;
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
