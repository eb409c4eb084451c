import { parseBaseURL } from "../providers/base-url.ts";
import type { Reserved } from "./address.ts";

/** Where the bridge listens, unless it was told otherwise. */
const usualBridge = ["http://127.0.0.1:7870", "http://127.0.0.1:4003"] as const;

/**
 * Where no command goes: to the providers, whose keys are the user's, to Vibey itself, and to the bridge, behind which an agent could approve its own
 * calls. `own`: Vibey's own origin. `bridge`: the address of the bridge in use; null: there is none.
 */
export function reservedOrigins(providerBases: readonly string[], own: string, bridge: string | null = null): Reserved[] {
  const providers = providerBases.flatMap((typed): Reserved[] => {
    const read = parseBaseURL(typed);
    // No request goes to a provider whose address can't be read.
    return read.ok ? [{ url: new URL(read.base), what: "a provider's host", below: true }] : [];
  });
  const bridges = [...usualBridge, ...(bridge === null ? [] : [bridge.replace(/^ws/, "http")])];
  return [
    ...providers,
    { url: new URL(own), what: "Vibey's own host", below: false },
    ...bridges.map((address): Reserved => ({ url: new URL(address), what: "Vibey's bridge", below: false })),
  ];
}
