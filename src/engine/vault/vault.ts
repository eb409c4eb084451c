import type { KeysAnswer, KeyState } from "../../protocol/index.ts";
import type { DroppedKeys, Keys } from "./keys.ts";
import type { ProviderName } from "../providers/provider.ts";
import { toBase64url } from "./base64url.ts";
import { type Bytes, type Lock, type PasskeyLock, readRecord, type SealedKey, type VaultRecord } from "./record.ts";
import { importDataKey, makeLock, newDataKey, type NewSecret, openKey, openLock, type Secret, sealKey } from "./seal.ts";
import type { VaultStore } from "./store.ts";

/**
 * Keys that are saved on this device, encrypted. While unlocked, they are in the memory of the engine's workers like typed keys, together with the
 * data key. While locked, neither is anywhere. With a device lock they are always unlocked and can't be locked.
 *
 * - A key that is typed for an address with a saved key replaces it: at once while unlocked, otherwise at the next unlocking.
 * - A failure never changes what is stored. Changes are made one after another.
 * - Synchronous calls answer from the record that was last read or written.
 */
export interface Vault {
  answer(): KeysAnswer;
  /** The state of the key for the provider's address. */
  keyState(provider: ProviderName): KeyState;
  /** Origins for which a key of this provider is saved. */
  origins(provider: ProviderName): readonly string[];
  /** Stores the key that is in memory. `secret` opens or creates the vault. Can be null while the vault is unlocked. */
  remember(provider: ProviderName, secret: Secret | NewSecret | null): Promise<Outcome>;
  /** Loads the keys for the providers' addresses into memory. */
  unlock(secret: Secret): Promise<Outcome>;
  /** Removes what came from the vault from memory. Does nothing if the device opens the vault. */
  lock(): Promise<void>;
  /**
   * Replaces the lock of the same kind, or adds a lock. `secret` opens any existing lock. A device lock replaces all others, and any other lock
   * replaces a device lock. The keys are then encrypted again under a new data key, because an older copy of the profile contains the old one.
   */
  change(secret: Secret, to: NewSecret): Promise<Outcome>;
  /** Forgets the key for the provider's address, in memory and on this device. With the last key the vault is deleted. */
  forget(provider: ProviderName): Promise<Outcome>;
  /** Forgets everything stored, readable or not, and the keys in memory. */
  forgetAll(): Promise<Outcome>;
  /**
   * Reads what is stored, and unlocks it if the device can. Call it when the providers' addresses are known for the first time, and when another
   * project's engine may have changed what is stored.
   */
  refresh(): Promise<Outcome>;
  /** Call it after a key was typed or an address was changed. While unlocked, it makes memory and record consistent. */
  follow(provider: ProviderName): Promise<Outcome>;
}

export type Outcome = { readonly ok: true } | VaultFailure;

export interface VaultFailure {
  readonly ok: false;
  /**
   * `wrong`: the secret opens nothing. `locked`: a secret is needed. `empty`: nothing is saved. `no-key`: there is no key in memory. `damaged`: the
   * record can't be read. `busy`: others keep writing.
   */
  readonly kind: "wrong" | "locked" | "empty" | "no-key" | "damaged" | "busy";
  readonly message: string;
}

export interface VaultParts {
  readonly store: VaultStore;
  readonly keys: Keys;
  /** The current base URLs of the providers that have keys. */
  readonly addresses: () => ReadonlyMap<ProviderName, string>;
  /** Called after each change of the stored data or of what is known about them. */
  readonly changed: () => void;
  /** Called with what was locked or forgotten here. */
  readonly dropped: (what: DroppedKeys) => void;
}

const done: Outcome = { ok: true };
const device = { kind: "device" } as const;
const isOfDevice = (lock: Lock) => lock.kind === "device";
const fail = (kind: VaultFailure["kind"], message: string): VaultFailure => ({ ok: false, kind, message });
const noSuch = {
  passphrase: "No passphrase was set for these keys.",
  passkey: "No passkey was set up for these keys.",
  device: "These keys are saved with a passphrase or a passkey.",
} as const;
const wrong = {
  passphrase: "Wrong passphrase. Your keys are still saved. Try again, or forget the key in Settings and enter it again.",
  passkey: "Wrong passkey. Your keys are still saved. Try another one, or forget the key in Settings and enter it again.",
  device: "What opens the saved keys is damaged. Forget them, then enter them again.",
} as const;

/** How often a change is tried if others write at the same time. */
const tries = 3;

interface Known {
  readonly record: VaultRecord | null;
  /** Why it can't be read. */
  readonly problem: string | null;
  readonly revision: number;
}

/** A change of the record, and what to do once it is stored. `record` is undefined if it doesn't change. */
interface Change {
  readonly record?: VaultRecord | null;
  readonly after?: () => void;
}

export async function openVault({ store, keys, addresses, changed, dropped }: VaultParts): Promise<Vault> {
  let known = await readStore();
  /** Keys that could not be decrypted, by provider and origin. */
  const damaged = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  async function readStore(): Promise<Known> {
    const { record, revision } = await store.read();
    if (record === null) return { record: null, problem: null, revision };
    const read = readRecord(record);
    const ofDevice = read.ok ? read.record.locks.find(isOfDevice) : undefined;
    if (ofDevice !== undefined && (await openLock(ofDevice, device)) === null)
      return { record: null, problem: "what opens it is damaged", revision };
    return read.ok ? { record: read.record, problem: null, revision } : { record: null, problem: read.problem, revision };
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  }

  /** `make` gets the newest record, and is called again if another one was written in between. */
  function update(make: (now: Known) => Promise<Change | VaultFailure>): Promise<Outcome> {
    return inTurn(async () => {
      for (let nth = 0; nth < tries; nth++) {
        known = await readStore();
        const change = await make(known);
        if ("ok" in change) return change;
        if (change.record !== undefined) {
          if (!(await store.write(change.record, known.revision))) continue;
          known = { record: change.record, problem: null, revision: known.revision + 1 };
        } else if (change.after && (await store.read()).revision !== known.revision) continue;
        change.after?.();
        changed();
        return done;
      }
      return fail("busy", "Another tab is changing the saved keys. Try again.");
    });
  }

  const unreadable = (problem: string) => fail("damaged", `Couldn't read the saved keys: ${problem}. Forget them, then enter them again.`);
  const addressOf = (provider: ProviderName): string => {
    const address = addresses().get(provider);
    if (address === undefined) throw new Error(`${provider} has no address`);
    return address;
  };
  const originOf = (provider: ProviderName): string => new URL(addressOf(provider)).origin;
  const typedKey = (provider: ProviderName): string | null => keys.get(provider, addressOf(provider));
  const idOf = (provider: string, origin: string) => `${provider} ${origin}`;
  const find = (record: VaultRecord | null, provider: string, origin: string) =>
    record?.keys.find((key) => key.provider === provider && key.origin === origin);
  const withKey = (record: VaultRecord, sealed: SealedKey): VaultRecord => ({
    ...record,
    keys: [...record.keys.filter((key) => key.provider !== sealed.provider || key.origin !== sealed.origin), sealed],
  });

  /** Anyone with the raw data key can make locks, so it is wiped after use. */
  async function openWith<T>(record: VaultRecord, secret: Secret, use: (raw: Bytes) => Promise<T>): Promise<T | VaultFailure> {
    const lock = record.locks.find(({ kind }) => kind === secret.kind);
    if (!lock) return fail("wrong", noSuch[secret.kind]);
    const raw = await openLock(lock, secret);
    if (raw === null) return fail("wrong", wrong[secret.kind]);
    try {
      return await use(raw);
    } finally {
      raw.fill(0);
    }
  }

  /** The change that makes memory and record consistent for these providers. A typed key is newer than a stored one. */
  async function agree(
    record: VaultRecord,
    dataKey: CryptoKey,
    providers: Iterable<ProviderName>,
  ): Promise<Change & { after: () => void }> {
    let next = record;
    const found: (() => void)[] = [];
    for (const provider of providers) {
      const origin = originOf(provider);
      const sealed = find(record, provider, origin);
      if (!sealed) continue;
      const stored = await openKey(dataKey, sealed);
      const typed = typedKey(provider);
      if (typed !== null && typed !== stored) next = withKey(next, await sealKey(dataKey, provider, origin, typed));
      found.push(() => {
        // A change of the address in the meantime calls `follow` too.
        if (originOf(provider) !== origin) return;
        if (typed === null && stored === null) damaged.add(idOf(provider, origin));
        else damaged.delete(idOf(provider, origin));
        if (stored !== null && typedKey(provider) === null) keys.set(provider, stored, origin);
      });
    }
    return { ...(next === record ? {} : { record: next }), after: () => found.forEach((tell) => tell()) };
  }

  /**
   * The data key in memory, if it belongs to this record: the vault may have been forgotten and created again in another tab. Otherwise the data key
   * that the device opens.
   */
  async function heldFor(record: VaultRecord): Promise<CryptoKey | null> {
    const dataKey = keys.dataKey();
    if (dataKey !== null) for (const sealed of record.keys) if ((await openKey(dataKey, sealed)) !== null) return dataKey;
    const raw = record.locks[0]?.kind === "device" ? await openLock(record.locks[0], device) : null;
    return raw === null ? null : importDataKey(raw).finally(() => raw.fill(0));
  }

  const versionOf = (lock: Lock) => (isOfDevice(lock) ? 2 : 1);

  /** The same keys under another data key, with only this lock. Keys that can't be decrypted stay as they are. */
  async function encryptAgain(record: VaultRecord, before: Bytes, secret: NewSecret): Promise<Change> {
    const raw = newDataKey();
    const lock = await makeLock(secret, raw);
    const [old, dataKey] = await Promise.all([importDataKey(before), importDataKey(raw)]);
    raw.fill(0);
    const sealed = record.keys.map(async (each) => {
      const key = await openKey(old, each);
      return key === null ? each : sealKey(dataKey, each.provider, each.origin, key);
    });
    return {
      record: { version: versionOf(lock), locks: [lock], keys: await Promise.all(sealed) },
      after: () => keys.holdDataKey(dataKey),
    };
  }

  async function create(provider: string, origin: string, key: string, secret: NewSecret): Promise<Change> {
    const raw = newDataKey();
    const lock = await makeLock(secret, raw);
    const dataKey = await importDataKey(raw);
    raw.fill(0);
    const record: VaultRecord = { version: versionOf(lock), locks: [lock], keys: [await sealKey(dataKey, provider, origin, key)] };
    return { record, after: () => keys.holdDataKey(dataKey) };
  }

  const passkeyOf = ({ record }: Known) => record?.locks.find((lock): lock is PasskeyLock => lock.kind === "passkey");

  const unlock: Vault["unlock"] = (secret) =>
    update(async ({ record, problem }) => {
      if (problem !== null) return unreadable(problem);
      if (record === null) return fail("empty", "No keys are saved on this device.");
      const dataKey = await openWith(record, secret, importDataKey);
      if ("ok" in dataKey) return dataKey;
      const agreed = await agree(record, dataKey, addresses().keys());
      return {
        ...agreed,
        after() {
          agreed.after();
          keys.holdDataKey(dataKey);
        },
      };
    });
  const isByDevice = () => known.record?.locks.some(isOfDevice) === true;

  return {
    answer() {
      const { record, problem } = known;
      const passkey = passkeyOf(known);
      return {
        state: problem !== null ? "damaged" : record === null ? "none" : keys.dataKey() === null ? "locked" : "unlocked",
        problem,
        passphrase: record?.locks.some(({ kind }) => kind === "passphrase") ?? false,
        device: isByDevice(),
        passkey: passkey ? { id: toBase64url(passkey.id), input: toBase64url(passkey.input) } : null,
        remembered: (record?.keys ?? []).map(({ provider, origin }) => ({ provider, origin })),
      };
    },
    keyState(provider) {
      const origin = originOf(provider);
      const here = typedKey(provider) !== null;
      if (find(known.record, provider, origin) === undefined) return here ? "session" : known.problem === null ? "none" : "damaged";
      if (here) return keys.dataKey() === null ? "session" : "unlocked";
      return damaged.has(idOf(provider, origin)) ? "damaged" : "locked";
    },
    origins: (provider) => (known.record?.keys ?? []).filter((key) => key.provider === provider).map(({ origin }) => origin),

    remember: (provider, secret) =>
      update(async ({ record, problem }) => {
        if (problem !== null) return unreadable(problem);
        const key = typedKey(provider);
        if (key === null) return fail("no-key", "There's no key to save. Enter one first.");
        const origin = originOf(provider);
        if (record === null) {
          if (secret === null || (secret.kind === "passkey" && !("id" in secret)))
            return fail("locked", "Choose a passphrase or a passkey to encrypt the key.");
          return create(provider, origin, key, secret);
        }
        const held = await heldFor(record);
        const dataKey = held ?? (secret === null ? null : await openWith(record, secret, importDataKey));
        if (dataKey === null) return fail("locked", "The saved keys are locked. Unlock them first.");
        if ("ok" in dataKey) return dataKey;
        damaged.delete(idOf(provider, origin));
        const saved = withKey(record, await sealKey(dataKey, provider, origin, key));
        // A secret that opens the vault for one key unlocks the others too.
        const agreed = await agree(saved, dataKey, held === null ? addresses().keys() : []);
        return {
          record: agreed.record ?? saved,
          after() {
            agreed.after();
            keys.holdDataKey(dataKey);
          },
        };
      }),

    unlock,

    lock: () =>
      inTurn(async () => {
        if (isByDevice()) return;
        const held = [...addresses().keys()].flatMap((provider) => {
          const origin = keys.originOf(provider) ?? "";
          return find(known.record, provider, origin) ? [{ provider, origin }] : [];
        });
        for (const { provider } of held) keys.forget(provider);
        keys.holdDataKey(null);
        dropped({ keys: held, vault: true });
        changed();
      }),

    async change(secret, to) {
      const outcome = await update(async ({ record, problem }) => {
        if (problem !== null) return unreadable(problem);
        if (record === null) return fail("empty", "No keys are saved on this device.");
        return openWith(record, secret, async (raw) => {
          if (to.kind === "device" || record.locks.some(isOfDevice)) return encryptAgain(record, raw, to);
          const lock = await makeLock(to, raw);
          return { record: { ...record, locks: [...record.locks.filter(({ kind }) => kind !== lock.kind), lock] } };
        });
      });
      return outcome.ok && to.kind === "device" ? unlock(device) : outcome;
    },

    forget: (provider) =>
      update(async ({ record }) => {
        const origin = originOf(provider);
        const left = (record?.keys ?? []).filter((key) => key.provider !== provider || key.origin !== origin);
        const isStored = record !== null && left.length < record.keys.length;
        const after = () => {
          keys.forget(provider);
          damaged.delete(idOf(provider, origin));
          if (isStored && left.length === 0) keys.holdDataKey(null);
          dropped({ keys: [{ provider, origin }], vault: isStored && left.length === 0 });
        };
        if (!isStored) return { after };
        return { record: left.length === 0 ? null : { ...record, keys: left }, after };
      }),

    forgetAll: () =>
      update(async () => ({
        record: null,
        after() {
          const held = [...addresses().keys()].map((provider) => ({ provider, origin: originOf(provider) }));
          for (const { provider } of held) keys.forget(provider);
          keys.holdDataKey(null);
          damaged.clear();
          dropped({ keys: held, vault: true });
        },
      })),

    async refresh() {
      const read = await update(async () => ({}));
      return read.ok && isByDevice() ? unlock(device) : read;
    },

    follow: (provider) =>
      update(async ({ record }) => {
        const dataKey = record && (await heldFor(record));
        return record === null || dataKey === null ? {} : agree(record, dataKey, [provider]);
      }),
  };
}
