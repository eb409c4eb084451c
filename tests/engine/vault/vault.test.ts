import { forceCloseDatabase } from "fake-indexeddb";
import { expect, test, vi } from "vitest";
import { drop, type DroppedKeys, memoryKeys } from "../../../src/engine/vault/keys.ts";
import type { ProviderName } from "../../../src/engine/providers/provider.ts";
import type { VaultRecord } from "../../../src/engine/vault/record.ts";
import { importDataKey, type NewSecret, openKey, openLock, type Secret } from "../../../src/engine/vault/seal.ts";
import { memoryVaultStore, type VaultStore } from "../../../src/engine/vault/store.ts";
import { idbVaultStore } from "../../../src/engine/vault/store-idb.ts";
import { openVault } from "../../../src/engine/vault/vault.ts";

/** PBKDF2 is slow, so passphrases are used only in tests about them. */
const words = (passphrase: string) => ({ kind: "passphrase", passphrase }) as const;
const first = words("river lamp copper eleven");
const passkey = (fill: number): NewSecret & Secret => ({
  kind: "passkey",
  id: new Uint8Array([1, 2, 3]),
  input: new Uint8Array(32).fill(9),
  secret: new Uint8Array(32).fill(fill),
});
const right = passkey(7);
const other = passkey(8);

/** A session: memory is empty, and the store is as it was left. */
async function session(store: VaultStore, addresses: Partial<Record<ProviderName, string>> = {}) {
  const now = new Map<ProviderName, string>(
    Object.entries({ claude: "https://a.example/v1", openai: "https://b.example", ...addresses }) as [ProviderName, string][],
  );
  const keys = memoryKeys();
  let changes = 0;
  const told: DroppedKeys[] = [];
  const vault = await openVault({
    store,
    keys,
    addresses: () => now,
    changed: () => (changes += 1),
    dropped: (what) => void told.push(what),
  });
  await vault.refresh();
  changes = 0;
  return {
    keys,
    vault,
    addresses: now,
    changes: () => changes,
    told,
    type: (provider: ProviderName, key: string) => keys.set(provider, key, now.get(provider) ?? ""),
    key: (provider: ProviderName) => keys.get(provider, now.get(provider) ?? ""),
  };
}

async function remembered(store: VaultStore, secret: NewSecret & Secret = right) {
  const made = await session(store);
  made.type("claude", "key-1");
  expect(await made.vault.remember("claude", secret)).toEqual({ ok: true });
  return made;
}

const recordOf = async (store: VaultStore) => (await store.read()).record as VaultRecord;
const damage = async (store: VaultStore, change: (record: VaultRecord) => unknown) => {
  const { record, revision } = await store.read();
  expect(await store.write(change(structuredClone(record) as VaultRecord), revision)).toBe(true);
};

test("remembered, locked by the next session, unlocked by its passphrase and by nothing else", async () => {
  const store = memoryVaultStore();
  expect((await remembered(store, first)).vault.keyState("claude")).toBe("unlocked");
  const { vault, key, changes } = await session(store);
  expect([vault.keyState("claude"), vault.keyState("openai"), vault.answer().state]).toEqual(["locked", "none", "locked"]);
  const before = await store.read();
  expect(await vault.unlock(words("river lamp copper twelve"))).toMatchObject({ ok: false, kind: "wrong" });
  expect(await vault.unlock(passkey(1))).toMatchObject({ ok: false, kind: "wrong", message: "No passkey was set up for these keys." });
  expect([key("claude"), changes(), await store.read()]).toEqual([null, 0, before]);
  expect(await vault.unlock(first)).toEqual({ ok: true });
  expect([key("claude"), vault.keyState("claude"), vault.answer().state]).toEqual(["key-1", "unlocked", "unlocked"]);
});

test("keys that another project forgets while they are being unlocked don't come back", async () => {
  const store = memoryVaultStore();
  const there = await remembered(store);
  let meanwhile: (() => Promise<unknown>) | null = null;
  const here = await session({
    ...store,
    async read() {
      const found = await store.read();
      const now = meanwhile;
      meanwhile = null;
      await now?.();
      return found;
    },
  });
  meanwhile = () => there.vault.forgetAll();
  expect(await here.vault.unlock(right)).toMatchObject({ ok: false, kind: "empty" });
  expect([here.key("claude"), here.vault.answer().state]).toEqual([null, "none"]);
});

test("one passphrase in two spellings of Unicode is one", async () => {
  const store = memoryVaultStore();
  await remembered(store, words("café crème naïve"));
  const { vault } = await session(store);
  expect(await vault.unlock(words("café crème naïve".normalize("NFD")))).toEqual({ ok: true });
});

test("the store holds neither key nor passphrase, and no two ciphertexts share a nonce or a salt", async () => {
  const store = memoryVaultStore();
  const { vault, type } = await remembered(store, first);
  type("openai", "key-2");
  expect(await vault.remember("openai", null)).toEqual({ ok: true });
  expect(await vault.change(first, passkey(7))).toEqual({ ok: true });
  const record = await recordOf(store);
  const bytes = [...record.locks, ...record.keys].flatMap((each) => Object.values(each).filter((value) => value instanceof Uint8Array));
  const text = JSON.stringify(record) + bytes.map((each) => Buffer.from(each).toString("latin1")).join("\n");
  for (const secret of ["key-1", "key-2", first.passphrase]) expect(text).not.toContain(secret);
  expect(bytes.map((each) => Buffer.from(each).toString("hex"))).not.toContain("07".repeat(32));
  const nonces = [...record.locks, ...record.keys].map(({ nonce }) => Buffer.from(nonce).toString("hex"));
  expect(new Set(nonces).size).toBe(4);
  expect(new Set(record.locks.map((lock) => ("salt" in lock ? Buffer.from(lock.salt).toString("hex") : ""))).size).toBe(2);
});

test("locked now: what came out of the vault leaves memory, what was only typed stays", async () => {
  const { vault, key, type, keys } = await remembered(memoryVaultStore());
  type("openai", "key-2");
  await vault.lock();
  expect([key("claude"), key("openai"), keys.dataKey()]).toEqual([null, "key-2", null]);
  expect([vault.keyState("claude"), vault.keyState("openai")]).toEqual(["locked", "session"]);
  expect(await vault.unlock(right)).toEqual({ ok: true });
  expect(key("claude")).toBe("key-1");
});

test("a key is remembered for its origin: another address gets none, and may have one of its own", async () => {
  const store = memoryVaultStore();
  const { vault, key, type, addresses } = await remembered(store);
  addresses.set("claude", "https://elsewhere.example");
  await vault.follow("claude");
  expect([key("claude"), vault.keyState("claude"), vault.origins("claude")]).toEqual([null, "none", ["https://a.example"]]);
  type("claude", "key-3");
  expect(await vault.remember("claude", null)).toEqual({ ok: true });
  // Back at the first address, with the vault open: the first key is there, and the other one was not changed.
  addresses.set("claude", "https://a.example/other/path");
  await vault.follow("claude");
  expect(key("claude")).toBe("key-1");
  const next = await session(store, { claude: "https://elsewhere.example" });
  expect(await next.vault.unlock(right)).toEqual({ ok: true });
  expect(next.key("claude")).toBe("key-3");
});

test("a key that is typed anew takes the place of the remembered one: at once while unlocked, else when it is unlocked", async () => {
  const store = memoryVaultStore();
  const one = await remembered(store);
  one.type("claude", "key-2");
  await one.vault.follow("claude");
  const second = await session(store);
  second.type("claude", "key-3");
  await second.vault.follow("claude");
  expect(second.vault.keyState("claude")).toBe("session");
  const third = await session(store);
  await third.vault.unlock(right);
  expect(third.key("claude")).toBe("key-2");
  await second.vault.unlock(right);
  expect([second.key("claude"), second.vault.keyState("claude")]).toEqual(["key-3", "unlocked"]);
  const fourth = await session(store);
  await fourth.vault.unlock(right);
  expect(fourth.key("claude")).toBe("key-3");
});

test("a second key asks for the passphrase where the vault is locked, and goes under the same one", async () => {
  const store = memoryVaultStore();
  await remembered(store);
  const { vault, type, key } = await session(store);
  type("openai", "key-2");
  expect(await vault.remember("openai", null)).toMatchObject({ ok: false, kind: "locked" });
  expect(await vault.remember("openai", other)).toMatchObject({ ok: false, kind: "wrong" });
  expect((await recordOf(store)).keys).toHaveLength(1);
  expect([vault.keyState("claude"), key("claude")]).toEqual(["locked", null]);
  expect(await vault.remember("openai", right)).toEqual({ ok: true });
  expect([vault.keyState("claude"), key("claude")]).toEqual(["unlocked", "key-1"]);
  const next = await session(store);
  await next.vault.unlock(right);
  expect([next.key("claude"), next.key("openai")]).toEqual(["key-1", "key-2"]);
  expect(await vault.remember("demo", right).catch((error: unknown) => String(error))).toContain("has no address");
  expect(key("openai")).toBe("key-2");
});

test("a changed passphrase: the new one opens it, the old one does not; a wrong one changes nothing", async () => {
  const store = memoryVaultStore();
  const next = words("seven quiet orange trains");
  const { vault } = await remembered(store, first);
  const before = await store.read();
  expect(await vault.change(words("not the passphrase"), next)).toMatchObject({ ok: false, kind: "wrong" });
  expect(await store.read()).toEqual(before);
  expect(await vault.change(first, next)).toEqual({ ok: true });
  const later = await session(store);
  expect(await later.vault.unlock(first)).toMatchObject({ ok: false, kind: "wrong" });
  expect(await later.vault.unlock(next)).toEqual({ ok: true });
  expect(later.key("claude")).toBe("key-1");
});

test("a passkey beside a passphrase: each opens it, and the one gives the other anew", async () => {
  const store = memoryVaultStore();
  const { vault } = await remembered(store, first);
  expect(await vault.change(first, passkey(7))).toEqual({ ok: true });
  expect(vault.answer()).toMatchObject({ passphrase: true, passkey: { id: "AQID", input: "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk" } });
  for (const [secret, opens] of [
    [first, true],
    [passkey(7), true],
    [passkey(8), false],
  ] as const) {
    const next = await session(store);
    expect((await next.vault.unlock(secret)).ok).toBe(opens);
    expect(next.key("claude")).toBe(opens ? "key-1" : null);
  }
  // The passphrase no longer works.
  const next = await session(store);
  expect(await next.vault.change(passkey(7), words("seven quiet orange trains"))).toEqual({ ok: true });
  expect((await recordOf(store)).locks.map(({ kind }) => kind)).toEqual(["passkey", "passphrase"]);
  expect(await next.vault.unlock(words("seven quiet orange trains"))).toEqual({ ok: true });
});

test("locked and forgotten in the engines of other projects, too: they hear of which, and of no key", async () => {
  const store = memoryVaultStore();
  const [one, two] = [await remembered(store), await session(store)];
  const hear = async () => {
    for (const what of one.told.splice(0)) {
      expect(JSON.stringify(what)).not.toContain("key-");
      drop(two.keys, what);
      expect(await two.vault.refresh()).toEqual({ ok: true });
    }
    return [two.key("claude"), two.key("openai"), two.vault.keyState("claude")];
  };
  expect(await two.vault.unlock(right)).toEqual({ ok: true });
  two.type("openai", "key-2");
  await one.vault.lock();
  expect(await hear()).toEqual([null, "key-2", "locked"]);
  expect(await two.vault.unlock(right)).toEqual({ ok: true });
  expect(await one.vault.forget("claude")).toEqual({ ok: true });
  expect([await hear(), two.keys.dataKey()]).toEqual([[null, "key-2", "none"], null]);
  // A key that was only typed is forgotten just by its name.
  expect(await one.vault.forget("openai")).toEqual({ ok: true });
  expect(await hear()).toEqual([null, null, "none"]);
});

const device = { kind: "device" } as const;

test("saved by the device: there in the next session without being asked for, and not to be locked", async () => {
  const store = memoryVaultStore();
  expect((await remembered(store, device)).vault.answer()).toMatchObject({ state: "unlocked", device: true, passphrase: false });
  const record = await recordOf(store);
  expect([record.version, record.locks.map(({ kind }) => kind)]).toEqual([2, ["device"]]);
  const next = await session(store);
  expect([next.key("claude"), next.vault.keyState("claude")]).toEqual(["key-1", "unlocked"]);
  await next.vault.lock();
  expect(next.key("claude")).toBe("key-1");
  // A second key needs no secret either.
  next.type("openai", "key-2");
  expect(await next.vault.remember("openai", null)).toEqual({ ok: true });
  expect((await session(store)).key("openai")).toBe("key-2");
  expect(await next.vault.forget("claude")).toEqual({ ok: true });
  expect(await next.vault.forget("openai")).toEqual({ ok: true });
  expect([await recordOf(store), next.key("claude")]).toEqual([null, null]);
});

test("saved by the device: no script reads the key that opens it, and the store holds no provider key in the clear", async () => {
  const store = memoryVaultStore();
  await remembered(store, device);
  const record = await recordOf(store);
  const [lock] = record.locks;
  if (lock?.kind !== "device") throw new Error("no lock of the device");
  await expect(crypto.subtle.exportKey("raw", lock.key)).rejects.toThrow(/not extractable/);
  const bytes = [lock.sealed, ...record.keys.map(({ sealed }) => sealed)].map((each) => Buffer.from(each).toString("latin1"));
  expect(bytes.join()).not.toContain("key-1");
});

test("a passphrase in the place of the device: it alone opens the keys, which are encrypted again under another data key", async () => {
  const store = memoryVaultStore();
  const one = await remembered(store, device);
  const before = await recordOf(store);
  const [lock] = before.locks;
  const oldKey = lock && (await openLock(lock, device));
  expect(await one.vault.change(device, right)).toEqual({ ok: true });
  expect([one.key("claude"), one.vault.answer()]).toMatchObject(["key-1", { state: "unlocked", device: false }]);
  const after = await recordOf(store);
  expect([after.version, after.locks.map(({ kind }) => kind)]).toEqual([1, ["passkey"]]);
  for (const sealed of after.keys) expect(await openKey(await importDataKey(oldKey ?? new Uint8Array(32)), sealed)).toBe(null);
  const next = await session(store);
  expect([next.key("claude"), next.vault.keyState("claude")]).toEqual([null, "locked"]);
  expect(await next.vault.unlock(device)).toMatchObject({ ok: false, kind: "wrong" });
  expect(await next.vault.unlock(right)).toEqual({ ok: true });
  // And back again.
  expect(await next.vault.change(right, device)).toEqual({ ok: true });
  expect((await session(store)).key("claude")).toBe("key-1");
});

test("saved by the device, and what opens it is damaged: said, left alone, and to be forgotten", async () => {
  const store = memoryVaultStore();
  await remembered(store, device);
  await damage(store, (record) => {
    record.locks[0]?.sealed.fill(1);
    return record;
  });
  const { vault, key } = await session(store);
  expect([key("claude"), vault.keyState("claude"), vault.answer().problem]).toEqual([null, "damaged", "what opens it is damaged"]);
  expect(await vault.forgetAll()).toEqual({ ok: true });
  expect(await recordOf(store)).toBe(null);
});

test("forgotten: gone from memory and store; with the last key the vault is gone, and the next one has another data key", async () => {
  const store = memoryVaultStore();
  const { vault, type, key, keys } = await remembered(store);
  type("openai", "key-2");
  await vault.remember("openai", null);
  const held = keys.dataKey();
  expect(await vault.forget("claude")).toEqual({ ok: true });
  expect([key("claude"), vault.keyState("claude"), (await recordOf(store)).keys.map(({ provider }) => provider)]).toEqual([
    null,
    "none",
    ["openai"],
  ]);
  expect(keys.dataKey()).toBe(held);
  expect(await vault.forget("openai")).toEqual({ ok: true });
  expect([await recordOf(store), keys.dataKey(), vault.answer().state]).toEqual([null, null, "none"]);
  type("claude", "key-4");
  expect(await vault.remember("claude", null)).toMatchObject({ ok: false, kind: "locked" });
  expect(await vault.remember("claude", other)).toEqual({ ok: true });
  expect(keys.dataKey()).not.toBe(held);
});

test.each<[string, (record: VaultRecord) => unknown, string]>([
  ["no record at all", () => "nonsense", "it is damaged"],
  [
    "a lock without its salt",
    (record) => ({ ...record, locks: [{ ...record.locks[0], salt: undefined }] }),
    "it is damaged at locks.0.salt",
  ],
  [
    "fewer rounds than are safe",
    (record) => ({ ...record, locks: [{ ...record.locks[0], kind: "passphrase", rounds: 1 }] }),
    "it is damaged at locks.0.rounds",
  ],
  [
    "rounds for a year",
    (record) => ({ ...record, locks: [{ ...record.locks[0], kind: "passphrase", rounds: 1e12 }] }),
    "it is damaged at locks.0.rounds",
  ],
  ["no lock", (record) => ({ ...record, locks: [] }), "it is damaged at locks"],
  ["a newer version", (record) => ({ ...record, version: 3 }), "it was saved by a newer version of Vibey"],
])("a record with %s is named, left alone, and can be forgotten", async (_, change, problem) => {
  const store = memoryVaultStore();
  await remembered(store);
  await damage(store, change);
  const { vault, type, key } = await session(store);
  expect(vault.answer()).toMatchObject({ state: "damaged", problem });
  expect(vault.keyState("claude")).toBe("damaged");
  const before = await store.read();
  type("claude", "key-2");
  for (const outcome of [await vault.unlock(right), await vault.remember("claude", right), await vault.change(right, other)])
    expect(outcome).toMatchObject({ ok: false, kind: "damaged", message: expect.stringContaining(problem) });
  expect(vault.keyState("claude")).toBe("session");
  expect(await store.read()).toEqual(before);
  expect(await vault.forgetAll()).toEqual({ ok: true });
  expect([key("claude"), vault.answer().state]).toEqual([null, "none"]);
});

test("a ciphertext is for one provider and one origin: moved to another place it is damaged, and the others still open", async () => {
  const store = memoryVaultStore();
  const { vault, type } = await remembered(store);
  type("openai", "key-2");
  await vault.remember("openai", null);
  await damage(store, (record) => ({
    ...record,
    keys: record.keys.map((key) => (key.provider === "claude" ? { ...key, origin: "https://evil.example" } : key)),
  }));
  const next = await session(store, { claude: "https://evil.example" });
  expect(await next.vault.unlock(right)).toEqual({ ok: true });
  expect([next.key("claude"), next.vault.keyState("claude"), next.key("openai")]).toEqual([null, "damaged", "key-2"]);
  // Typing the key again repairs it.
  next.type("claude", "key-5");
  await next.vault.follow("claude");
  expect(next.vault.keyState("claude")).toBe("unlocked");
});

test("a lock whose bytes were changed opens to nothing", async () => {
  const store = memoryVaultStore();
  await remembered(store);
  await damage(store, (record) => {
    record.locks[0]?.sealed.fill(1, 0, 1);
    return record;
  });
  const { vault } = await session(store);
  expect(await vault.unlock(right)).toMatchObject({ ok: false, kind: "wrong" });
});

test("of two engines that write at once neither undoes the other", async () => {
  const store = memoryVaultStore();
  const a = await remembered(store);
  const b = await session(store, { claude: "https://elsewhere.example" });
  b.type("claude", "key-9");
  await b.vault.remember("claude", right);
  a.type("openai", "key-2");
  const outcomes = await Promise.all([a.vault.remember("openai", null), b.vault.forget("claude"), b.vault.change(right, other)]);
  expect(outcomes).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
  const next = await session(store);
  expect(await next.vault.unlock(other)).toEqual({ ok: true });
  expect([next.key("claude"), next.key("openai"), next.vault.origins("claude")]).toEqual(["key-1", "key-2", ["https://a.example"]]);
});

test("an engine that has missed that the vault was made anew writes nothing under the old data key", async () => {
  const store = memoryVaultStore();
  const a = await remembered(store);
  const b = await session(store);
  await b.vault.forgetAll();
  b.type("claude", "key-9");
  await b.vault.remember("claude", other);
  a.type("openai", "key-2");
  expect(await a.vault.remember("openai", null)).toMatchObject({ ok: false, kind: "locked" });
  await a.vault.follow("claude");
  const next = await session(store);
  await next.vault.unlock(other);
  expect(next.key("claude")).toBe("key-9");
});

test("a store that refuses loses nothing, and the failure reaches whoever asked", async () => {
  const store = memoryVaultStore();
  await remembered(store);
  const full: VaultStore = { ...store, write: () => Promise.reject(new Error("no room")) };
  const { vault, type } = await session(full);
  type("openai", "key-2");
  await expect(vault.remember("openai", right)).rejects.toThrow("no room");
  expect(vault.keyState("openai")).toBe("session");
  const busy = await session({ ...store, write: async () => false });
  busy.type("openai", "key-2");
  expect(await busy.vault.remember("openai", right)).toMatchObject({ ok: false, kind: "busy" });
  const next = await session(store);
  expect(await next.vault.unlock(right)).toEqual({ ok: true });
});

test("in the browser's database: what is stored comes back, and an older revision writes nothing", async () => {
  const mock = vi.spyOn(IDBDatabase.prototype, "transaction");
  const store = await idbVaultStore("vault-test");
  expect(await store.read()).toEqual({ record: null, revision: 0 });
  await remembered(store);
  expect(await store.write(null, 0)).toBe(false);
  const { vault, key } = await session(await idbVaultStore("vault-test"));
  expect(await vault.unlock(right)).toEqual({ ok: true });
  expect(key("claude")).toBe("key-1");
  for (const database of new Set(mock.mock.contexts))
    if (database instanceof IDBDatabase) Reflect.apply(forceCloseDatabase, undefined, [database]);
  mock.mockRestore();
  expect((await store.read()).revision).toBe(1);
});
