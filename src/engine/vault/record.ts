import * as v from "valibot";

/**
 * The part of the keys that is stored on this device: ciphertext, and what is needed to try a secret on it.
 *
 * A random data key encrypts the provider keys. Each lock is that data key, encrypted under something that a human has or knows. Every ciphertext is
 * AES-GCM with its own nonce. Its additional data identifies it (see `seal.ts`), so no ciphertext can replace another.
 */
export interface VaultRecord {
  /** 2 has a device lock, which Vibey 0.9 can't read. */
  readonly version: 1 | 2;
  /** At most one of each kind. Any of them opens the vault. A device lock opens by itself, so it is always the only one. */
  readonly locks: readonly Lock[];
  /** One for each provider and origin. */
  readonly keys: readonly SealedKey[];
}

export type Lock = PassphraseLock | PasskeyLock | DeviceLock;

export interface PassphraseLock extends Sealed {
  readonly kind: "passphrase";
  readonly salt: Bytes;
  /** For PBKDF2 with SHA-256. */
  readonly rounds: number;
}

export interface PasskeyLock extends Sealed {
  readonly kind: "passkey";
  /** The passkey's id, by which the browser finds it. */
  readonly id: Bytes;
  /** The input from which the passkey derives its secret. */
  readonly input: Bytes;
  readonly salt: Bytes;
}

/** Protects against scripts that read the database, but not against anyone who has the browser's profile: the key is stored next to it. */
export interface DeviceLock extends Sealed {
  readonly kind: "device";
  /** Can be used, but scripts can't read it. */
  readonly key: CryptoKey;
}

export interface SealedKey extends Sealed {
  readonly provider: string;
  /** The origin of the addresses that the key may be sent to. */
  readonly origin: string;
}

export interface Sealed {
  readonly nonce: Bytes;
  readonly sealed: Bytes;
}

export type Bytes = Uint8Array<ArrayBuffer>;

/** Rounds for new locks, and the maximum for existing ones: more would keep the engine busy for a minute. */
export const rounds = { usual: 600_000, most: 20_000_000 } as const;

const bytes = (least: number, most: number) =>
  v.custom<Bytes>((value) => value instanceof Uint8Array && value.length >= least && value.length <= most);
const nonce = bytes(12, 12);
/** A data key of 32 bytes and a tag of 16 bytes. */
const wrapped = bytes(48, 48);
const salt = bytes(16, 64);

const lock = v.variant("kind", [
  v.object({
    kind: v.literal("passphrase"),
    salt,
    rounds: v.pipe(v.number(), v.integer(), v.minValue(rounds.usual), v.maxValue(rounds.most)),
    nonce,
    sealed: wrapped,
  }),
  v.object({ kind: v.literal("passkey"), id: bytes(1, 1_023), input: bytes(32, 32), salt, nonce, sealed: wrapped }),
]);
const deviceLock = v.object({
  kind: v.literal("device"),
  key: v.custom<CryptoKey>((value) => value instanceof CryptoKey && !value.extractable && value.algorithm.name === "AES-GCM"),
  nonce,
  sealed: wrapped,
});
const keys = v.pipe(v.array(v.object({ provider: v.string(), origin: v.string(), nonce, sealed: bytes(17, 10_000) })), v.minLength(1));
const record = v.variant("version", [
  v.object({ version: v.literal(1), locks: v.pipe(v.array(lock), v.minLength(1), v.maxLength(2)), keys }),
  v.object({ version: v.literal(2), locks: v.tuple([deviceLock]), keys }),
]);

export type ReadRecord =
  | { readonly ok: true; readonly record: VaultRecord }
  /** `problem`: a clause that says what is wrong with it. */
  | { readonly ok: false; readonly problem: string };

/**
 * Reads what the store contains. Someone who can write to the store can neither make the engine compute for long nor weaken a lock that is made
 * later.
 */
export function readRecord(stored: unknown): ReadRecord {
  const version = typeof stored === "object" && stored !== null && "version" in stored ? stored.version : undefined;
  if (typeof version === "number" && version > 2) return { ok: false, problem: "it was saved by a newer version of Vibey" };
  const parsed = v.safeParse(record, stored);
  if (parsed.success) return { ok: true, record: parsed.output };
  return { ok: false, problem: `it is damaged${v.getDotPath(parsed.issues[0]) === null ? "" : ` at ${v.getDotPath(parsed.issues[0])}`}` };
}
