/*
 * The page and the bridge prove that they have the same key without sending it: each signs random values chosen by both. A key is kept as a
 * `CryptoKey` that can't be exported.
 */

export interface Handshake {
  /** Random values chosen by the bridge and by the page. Each is used once. */
  readonly bridgeNonce: string;
  readonly pageNonce: string;
  readonly project: string;
  readonly epoch: number;
}

const encoder = new TextEncoder();

/** Imports a key as it was typed. It can't be read back. */
export function importKey(psk: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(psk), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

export function proofOf(key: CryptoKey, by: "page" | "bridge", { bridgeNonce, pageNonce, project, epoch }: Handshake): Promise<string> {
  return sign(key, JSON.stringify(["vibey line 1", by, bridgeNonce, pageNonce, project, epoch]));
}

/** Whether the text is the key. The time it takes reveals nothing about how much of the text is right. */
export async function isKey(key: CryptoKey, given: string): Promise<boolean> {
  if (given === "") return false;
  const question = newNonce();
  return isSame(await sign(await importKey(given), question), await sign(key, question));
}

/** Compares the full texts, wherever they differ. */
export function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

/** 128 random bits, as hexadecimal digits. */
export function newNonce(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

async function sign(key: CryptoKey, text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text))));
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
