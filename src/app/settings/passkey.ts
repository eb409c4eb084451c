import { productName } from "../texts/frame.ts";
import * as t from "../texts/unlock.ts";

/**
 * A passkey as a source of a secret (the PRF extension of WebAuthn): for the same input it always produces the same 32 bytes, after the user has
 * proven to be present. They go to the engine and are not kept here.
 */
export type Passkey<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

export interface KnownPasskey {
  /** Both in base64url. */
  readonly id: string;
  readonly input: string;
}

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const failed = (message: string) => ({ ok: false, message }) as const;
const noSecret = failed(t.passkeyWithoutSecret);

export const canUsePasskeys = (): boolean => "PublicKeyCredential" in window && isSecureContext;

/** Creates a passkey for this site, and its secret. */
export async function makePasskey(): Promise<Passkey<KnownPasskey & { readonly secret: string }>> {
  const input = random(32);
  const made = await attempt(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: productName },
        user: { id: random(16), name: t.passkeyName, displayName: t.passkeyName },
        challenge: random(32),
        pubKeyCredParams: [-7, -257].map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
        extensions: { prf: { eval: { first: input } } },
      },
    }),
  );
  if (!made.ok) return made;
  const prf = made.value.getClientExtensionResults().prf;
  const known = { id: toBase64url(new Uint8Array(made.value.rawId)), input: toBase64url(input) };
  const first = prf?.results?.first;
  if (first !== undefined) return { ok: true, value: { ...known, secret: toBase64url(bytesOf(first)) } };
  if (prf?.enabled !== true) return noSecret;
  // Many passkeys produce no secret during creation.
  const secret = await askPasskey(known);
  return secret.ok ? { ok: true, value: { ...known, secret: secret.value } } : secret;
}

/** The secret of a passkey that was created here, in base64url. */
export async function askPasskey({ id, input }: KnownPasskey): Promise<Passkey<string>> {
  const asked = await attempt(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: random(32),
        allowCredentials: [{ type: "public-key", id: fromBase64url(id) }],
        userVerification: "required",
        extensions: { prf: { eval: { first: fromBase64url(input) } } },
      },
    }),
  );
  if (!asked.ok) return asked;
  const first = asked.value.getClientExtensionResults().prf?.results?.first;
  return first === undefined ? noSecret : { ok: true, value: toBase64url(bytesOf(first)) };
}

async function attempt(ask: () => Promise<Credential | null>): Promise<Passkey<PublicKeyCredential>> {
  try {
    const answer = await ask();
    return answer instanceof PublicKeyCredential ? { ok: true, value: answer } : failed(t.noPasskey);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    // The browser doesn't distinguish a refusal from a missing passkey.
    if (error.name === "NotAllowedError") return failed(t.passkeyNotUsed);
    return failed(t.passkeyImpossible(error.message));
  }
}

const bytesOf = (source: BufferSource) =>
  ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);

function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
