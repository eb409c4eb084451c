import { type Bytes, type Lock, type PasskeyLock, rounds, type Sealed, type SealedKey } from "./record.ts";

/** Opens a vault. */
export type Secret =
  | { readonly kind: "passphrase"; readonly passphrase: string }
  /** 32 bytes, which the passkey derives from the lock's `input` and gives only to our page. */
  | { readonly kind: "passkey"; readonly secret: Bytes }
  /** The device itself: there is no secret. */
  | { readonly kind: "device" };

/** A secret for a new lock. */
export type NewSecret =
  | Extract<Secret, { kind: "passphrase" | "device" }>
  | (Extract<Secret, { kind: "passkey" }> & Pick<PasskeyLock, "id" | "input">);

const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));
const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
/** Identifies a ciphertext. The parts are joined by a character that neither a provider's name nor an origin contains. */
const about = (...parts: readonly string[]): Bytes => utf8(["vibey vault 1", ...parts].join("\n"));

export const newDataKey = (): Bytes => random(32);

/** Can be used, but not exported. */
export const importDataKey = (raw: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);

export async function makeLock(secret: NewSecret, dataKey: Bytes): Promise<Lock> {
  if (secret.kind === "device") {
    const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    return { kind: "device", key, ...(await seal(key, about("device"), dataKey)) };
  }
  const salt = random(16);
  if (secret.kind === "passphrase") {
    const key = await fromPassphrase(secret.passphrase, salt, rounds.usual);
    return { kind: "passphrase", salt, rounds: rounds.usual, ...(await seal(key, about("passphrase"), dataKey)) };
  }
  const key = await fromPasskey(secret.secret, salt);
  return { kind: "passkey", id: secret.id, input: secret.input, salt, ...(await seal(key, about("passkey"), dataKey)) };
}

/** The data key. Null if the secret is wrong or the lock was changed: these can't be distinguished. */
export async function openLock(lock: Lock, secret: Secret): Promise<Bytes | null> {
  if (lock.kind === "passphrase" && secret.kind === "passphrase")
    return open(await fromPassphrase(secret.passphrase, lock.salt, lock.rounds), about("passphrase"), lock);
  if (lock.kind === "passkey" && secret.kind === "passkey")
    return open(await fromPasskey(secret.secret, lock.salt), about("passkey"), lock);
  if (lock.kind === "device" && secret.kind === "device") return open(lock.key, about("device"), lock);
  return null;
}

export async function sealKey(dataKey: CryptoKey, provider: string, origin: string, key: string): Promise<SealedKey> {
  return { provider, origin, ...(await seal(dataKey, about("key", provider, origin), utf8(key))) };
}

/** Null if it is not what was stored for this provider and origin under this data key. */
export async function openKey(dataKey: CryptoKey, sealed: SealedKey): Promise<string | null> {
  const bytes = await open(dataKey, about("key", sealed.provider, sealed.origin), sealed);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** A text can have several encodings in Unicode, and keyboards differ in which one they type. */
async function fromPassphrase(passphrase: string, salt: Bytes, iterations: number): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", utf8(passphrase.normalize("NFKC")), "PBKDF2", false, ["deriveKey"]);
  return derive({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, material);
}

async function fromPasskey(secret: Bytes, salt: Bytes): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  return derive({ name: "HKDF", hash: "SHA-256", salt, info: about("passkey") }, material);
}

const derive = (algorithm: Pbkdf2Params | HkdfParams, material: CryptoKey): Promise<CryptoKey> =>
  crypto.subtle.deriveKey(algorithm, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);

async function seal(key: CryptoKey, additionalData: Bytes, plain: Bytes): Promise<Sealed> {
  const nonce = random(12);
  return { nonce, sealed: new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce, additionalData }, key, plain)) };
}

async function open(key: CryptoKey, additionalData: Bytes, { nonce, sealed }: Sealed): Promise<Bytes | null> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv: nonce, additionalData }, key, sealed));
  } catch (error) {
    if (error instanceof DOMException && error.name === "OperationError") return null;
    throw error;
  }
}
