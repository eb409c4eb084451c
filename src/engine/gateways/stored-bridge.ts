import type { StoredBridge } from "./bridge-store.ts";

/** The result of `readBridge`. Null if there is no bridge, or if another program wrote the value. */
export function storedBridge(found: unknown): StoredBridge | null {
  if (typeof found !== "object" || found === null) return null;
  const { address, key, all, ahead = 0 } = found as Partial<Readonly<Record<keyof StoredBridge, unknown>>>;
  const isWhole = typeof address === "string" && key instanceof CryptoKey && typeof all === "boolean" && typeof ahead === "number";
  return isWhole ? { address, key, all, ahead } : null;
}
