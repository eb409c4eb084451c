import { fromBytes } from "../../encoding.ts";

const names = new Map([
  ["sha512", "SHA-512"],
  ["sha384", "SHA-384"],
  ["sha256", "SHA-256"],
  ["sha1", "SHA-1"],
]);

export interface Mismatch {
  readonly algorithm: string;
  /** In the same notation. */
  readonly got: string;
}

/**
 * Checks bytes against a text such as `sha512-<base64>`; of several, separated by blanks, the strongest counts. Null: the bytes match. A text without
 * a known algorithm is a mismatch.
 */
export async function checkIntegrity(bytes: Uint8Array, integrity: string): Promise<Mismatch | null> {
  const given = integrity.split(/\s+/).flatMap((each) => {
    const dash = each.indexOf("-");
    return dash > 0 ? [{ algorithm: each.slice(0, dash), digest: each.slice(dash + 1).replace(/\?.*$/, "") }] : [];
  });
  for (const [algorithm, name] of names) {
    const wanted = given.filter((each) => each.algorithm === algorithm);
    if (wanted.length === 0) continue;
    const got = fromBytes(new Uint8Array(await crypto.subtle.digest(name, bytes.slice())), "base64");
    return wanted.some(({ digest }) => digest === got) ? null : { algorithm, got: `${algorithm}-${got}` };
  }
  return { algorithm: "no known algorithm", got: "" };
}
