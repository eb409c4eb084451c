import { createHash, X509Certificate } from "node:crypto";
import { generate } from "selfsigned";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** SHA-256 of the public key, as base64. With `--ignore-certificate-errors-spki-list`, Chromium trusts only this key. */
  readonly pin: string;
}

/** A key that lives as long as the process, with a self-signed certificate. */
export async function makeCertificate(names: readonly string[]): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: "commonName", value: names[0] ?? "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [{ name: "subjectAltName", altNames: names.map((value) => ({ type: 2 as const, value })) }],
  });
  const publicKey = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return { key, cert, pin: createHash("sha256").update(publicKey).digest("base64") };
}
