import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { AgentKeyView } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { keyStart } from "./key-start.ts";
import type { AgentKeyStore, KeptAgentKey } from "./key-store.ts";

/** Key id used for agents without a key, when the bridge runs with `--open-agents`. */
export const openKey = "open";

/** The keys of agents outside Vibey: one for each installation of an agent. A key gives access to the records that it creates. */
export interface AgentKeys {
  list(): Promise<readonly AgentKeyView[]>;
  /** Creates a key, which is returned only this once. Null: there are already too many keys. */
  make(name: string): Promise<{ readonly key: string; readonly id: string } | null>;
  /** False: no key has this id. */
  revoke(id: string): Promise<boolean>;
  /** The id of the key. Null: the key is unknown or was revoked. */
  check(key: string): Promise<string | null>;
}

export function createAgentKeys(store: AgentKeyStore, now: () => Date): AgentKeys {
  let kept: Promise<readonly KeptAgentKey[]> | null = null;
  const used = new Map<string, string>();
  const read = (): Promise<readonly KeptAgentKey[]> =>
    (kept ??= store.read().catch((error: unknown) => {
      kept = null;
      throw error;
    }));
  let last: Promise<unknown> = Promise.resolve();
  /** Runs changes one after another. A change that can't be stored has no effect. */
  function change<T>(work: (keys: readonly KeptAgentKey[]) => Promise<T>): Promise<T> {
    const result = last.then(async () => work(await read()));
    last = result.catch(() => undefined);
    return result;
  }
  async function write(keys: readonly KeptAgentKey[]): Promise<void> {
    await store.write(keys);
    kept = Promise.resolve(keys);
  }
  return {
    list: async () => (await read()).map(({ id, name, made }) => ({ id, name, made, used: used.get(id) ?? null })),
    make: (name) =>
      change(async (keys) => {
        if (keys.length >= limits.agentKeys) return null;
        const key = keyStart + bytesToHex(crypto.getRandomValues(new Uint8Array(20)));
        const id = bytesToHex(crypto.getRandomValues(new Uint8Array(4)));
        await write([...keys, { id, name, hash: hashOf(key), made: now().toISOString() }]);
        return { key, id };
      }),
    revoke: (id) =>
      change(async (keys) => {
        const left = keys.filter((one) => one.id !== id);
        if (left.length === keys.length) return false;
        await write(left);
        return true;
      }),
    async check(key) {
      // Hashes are compared, so the time that this takes reveals nothing about the key.
      const hash = hashOf(key);
      const found = (await read()).find((one) => one.hash === hash);
      if (!found) return null;
      used.set(found.id, now().toISOString());
      return found.id;
    },
  };
}

const hashOf = (key: string): string => bytesToHex(sha256(utf8ToBytes(key)));
