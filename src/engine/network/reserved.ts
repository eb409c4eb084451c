import { parseBaseURL } from "../providers/base-url.ts";
import type { Reserved } from "./address.ts";

/** Where no command goes: to the providers, whose keys are the user's, and to Vibey itself. `own`: Vibey's own origin. */
export function reservedOrigins(providerBases: readonly string[], own: string): Reserved[] {
  const providers = providerBases.flatMap((typed): Reserved[] => {
    const read = parseBaseURL(typed);
    // No request goes to a provider whose address can't be read.
    return read.ok ? [{ url: new URL(read.base), what: "a provider's host", below: true }] : [];
  });
  return [...providers, { url: new URL(own), what: "Vibey's own host", below: false }];
}
