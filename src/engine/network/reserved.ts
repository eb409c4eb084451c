import { parseBaseURL } from "../providers/base-url.ts";
import type { Reserved } from "./address.ts";

/** The default addresses of the bridge. */
const usualBridge = ["http://127.0.0.1:7870", "http://127.0.0.1:4003"] as const;

/**
 * Addresses that commands can't reach: the providers, whose keys are the user's, Vibey itself, and the bridge, through which an agent could approve
 * its own calls. `own`: Vibey's own origin. `bridge`: the address of the bridge in use. Null: there is none.
 */
export function reservedOrigins(providerBases: readonly string[], own: string, bridge: string | null = null): Reserved[] {
  const providers = providerBases.flatMap((typed): Reserved[] => {
    const read = parseBaseURL(typed);
    // No request goes to a provider whose address is invalid.
    return read.ok ? [{ url: new URL(read.base), what: "a provider's host", below: true }] : [];
  });
  const bridges = [...usualBridge, ...(bridge === null ? [] : [bridge.replace(/^ws/, "http")])];
  return [
    ...providers,
    { url: new URL(own), what: "Vibey's own host", below: false },
    ...bridges.map((address): Reserved => ({ url: new URL(address), what: "Vibey's bridge", below: false })),
  ];
}
