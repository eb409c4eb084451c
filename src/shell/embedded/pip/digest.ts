import { fromBytes } from "../encoding.ts";

/** SHA-256 of the bytes, in hexadecimal, or in URL-safe base64 without padding. */
export async function digest(bytes: Uint8Array, as: "hex" | "url"): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.slice()));
  if (as === "hex") return fromBytes(hash, "hex");
  return fromBytes(hash, "base64").replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
