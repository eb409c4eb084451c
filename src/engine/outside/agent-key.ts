import { keyStart } from "./key-start.ts";

/** Paths that accept an agent key. */
const open = /^\/(?:v2|event|hooks|k|health|stats|sessions)(?:\/|$)/;

/** The agent key in a request's headers. Null: there is none. */
export function keyInHeaders(headers: Headers): string | null {
  const own = headers.get("x-agent-key");
  if (own !== null) return own.trim();
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return bearer?.startsWith(keyStart) === true ? bearer : null;
}

/** Whether the request carries an agent key (header or path) but targets a route that agents can't use. */
export function isForbiddenForAgents(headers: Headers, pathname: string): boolean {
  return !open.test(pathname) && keyInHeaders(headers) !== null;
}
