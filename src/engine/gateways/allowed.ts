/** What a program outside may request over the bridge. */
export type Reach = "always" | "with all" | "never";

/** Paths for the phone and for outside agents: each checks its own key. */
const gateways = /^\/(?:api|ws|v2|k|event|hooks|health|stats|sessions)(?:\/|$)/;
/** Requests that change permissions or can't be undone: only Vibey's own screen may make them. */
const neverRead = /^\/(?:bridge|outside|keys|recovery|copy|copy\.zip)(?:\/|$)/;
const neverWritten = /^\/(?:provider|project\.zip|projects|prices|agents\/import)(?:\/|$)/;

export function reachOf(method: string, path: string): Reach {
  if (gateways.test(path)) return "always";
  if (neverRead.test(path) || method === "DELETE") return "never";
  return method !== "GET" && neverWritten.test(path) ? "never" : "with all";
}
