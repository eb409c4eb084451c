import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { AgentKeyView } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { keyStart } from "./key-start.ts";
import type { AgentKeyStore, KeptAgentKey } from "./key-store.ts";

/** Key id used for agents without a key, when the bridge runs with `--open-agents`. */
export const openKey = "open";

/** The keys of agents outside Vibey: one for each installation of an agent, bound to the records that it begins. */
export interface AgentKeys {
  list(): Promise<readonly AgentKeyView[]>;
  /** The key is told once and never again. null: there are as many as there can be. */
  make(name: string): Promise<{ readonly key: string; readonly id: string } | null>;
  /** false: there is none with this id. */
  revoke(id: string): Promise<boolean>;
  /** The id of the key; null: it is none, or was revoked. */
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
  /** One change after another; what could not be stored changes nothing. */
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
      // What is compared is a hash, so how long that takes tells nothing of the key.
      const hash = hashOf(key);
      const found = (await read()).find((one) => one.hash === hash);
      if (!found) return null;
      used.set(found.id, now().toISOString());
      return found.id;
    },
  };
}

const hashOf = (key: string): string => bytesToHex(sha256(utf8ToBytes(key)));
