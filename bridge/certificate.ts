import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

/** What a server needs for TLS, both in PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

export type CertificateRead =
  /** `names`: the certificate's hosts, without wildcards. `expired`: when it expired. Null: it has not expired. */
  | { readonly ok: true; readonly tls: Tls; readonly names: readonly string[]; readonly expired: string | null }
  /** `why`: a sentence with the option and the file. */
  | { readonly ok: false; readonly kind: "unreadable" | "no certificate" | "no key" | "mismatch"; readonly why: string };

/** Reads a certificate and its key. Checks that they belong together, so that a wrong file is reported at the start and not by a browser. */
export function readCertificate(files: Tls, now: number): CertificateRead {
  const read = { cert: readText(files.cert), key: readText(files.key) };
  if (!read.cert.ok) return unreadable("--cert", files.cert, read.cert.why, "a certificate in PEM");
  if (!read.key.ok) return unreadable("--key", files.key, read.key.why, "the private key of the certificate in PEM");
  const tls = { cert: read.cert.text, key: read.key.text };
  const certificate = attempt(() => new X509Certificate(tls.cert));
  if (certificate === null || !tls.cert.includes("-----BEGIN CERTIFICATE-----")) {
    const why = `--cert: ${files.cert} is not a certificate in PEM. Expected a file that begins with -----BEGIN CERTIFICATE-----.`;
    return { ok: false, kind: "no certificate", why };
  }
  const key = attempt(() => createPrivateKey(tls.key));
  if (key === null) {
    const isLocked = tls.key.includes("ENCRYPTED");
    const why = isLocked
      ? `--key: ${files.key} has a passphrase. Expected a private key without one.`
      : `--key: ${files.key} is not a private key in PEM. Expected a file that begins with -----BEGIN PRIVATE KEY-----.`;
    return { ok: false, kind: "no key", why };
  }
  if (!certificate.checkPrivateKey(key)) {
    const why = `--key: ${files.key} doesn't belong to the certificate in ${files.cert}. Expected the private key that it was made with.`;
    return { ok: false, kind: "mismatch", why };
  }
  try {
    createSecureContext(tls);
  } catch (error) {
    // For example, the key is too short to be secure.
    return { ok: false, kind: "no certificate", why: `--cert: ${files.cert} can't be used: ${messageOf(error)}.` };
  }
  const isExpired = Date.parse(certificate.validTo) <= now;
  return { ok: true, tls, names: namesOf(certificate), expired: isExpired ? certificate.validTo : null };
}

function readText(file: string): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string } {
  try {
    return { ok: true, text: readFileSync(file, "utf8") };
  } catch (error) {
    return { ok: false, why: messageOf(error) };
  }
}

const unreadable = (option: string, file: string, why: string, expected: string): CertificateRead => ({
  ok: false,
  kind: "unreadable",
  why: `${option}: ${file} can't be read (${why}). Expected ${expected}.`,
});

function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    // The caller says what was expected instead.
    return null;
  }
}

function namesOf({ subjectAltName = "" }: X509Certificate): string[] {
  return [...subjectAltName.matchAll(/(?:^|, )(?:DNS|IP Address):([\w.:-]+)(?=,|$)/g)].flatMap(([, name = ""]) => {
    const host = name.includes(":") ? `[${name}]` : name;
    return URL.canParse(`https://${host}`) ? [new URL(`https://${host}`).hostname.replace(/^\[(.*)\]$/, "$1")] : [];
  });
}

/** An error's message without the call and the path that Node adds, because the text already names the file. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message.replace(/, \w+(?: .*)?$/, "") : String(error));
