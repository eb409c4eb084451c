/** What a program outside may ask for over the bridge. */
export type Reach = "always" | "with all" | "never";

/** Paths of the phone and of agents outside: each checks a key of its own. */
const gateways = /^\/(?:api|ws|v2|k|event|hooks|health|stats|sessions)(?:\/|$)/;
/** What changes who may do what, or can't be undone: only the screen does it. */
const neverRead = /^\/(?:bridge|outside|keys|recovery|copy|copy\.zip)(?:\/|$)/;
const neverWritten = /^\/(?:provider|project\.zip|projects|prices)(?:\/|$)/;

export function reachOf(method: string, path: string): Reach {
  if (gateways.test(path)) return "always";
  if (neverRead.test(path) || method === "DELETE") return "never";
  return method !== "GET" && neverWritten.test(path) ? "never" : "with all";
}
