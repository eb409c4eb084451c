import type { IncomingMessage } from "node:http";
import { ownPath } from "../src/protocol/own-paths.ts";

/** Of agents outside; they check a key of their own. */
const agentPaths = /^\/(?:v2|event|hooks|k|health|stats|sessions)(?:\/|$)/;
/** What only a page says, or what is another port's. */
const unroutedPaths = /^\/(?:bridge|line)(?:\/|$)/;

const base = new URL("http://bridge/");

export function urlOf(request: IncomingMessage): URL | null {
  const { url = "/" } = request;
  return url.startsWith("/") && URL.canParse(url, base) ? new URL(`http://bridge${url}`) : null;
}

/** The path under a project, with its query but for the key in it. `project` null: the first one. */
export function parseProjectPath(url: URL): { readonly project: string | null; readonly path: string } {
  const [, project, rest] = /^\/p\/([a-z0-9]{1,12})(\/.*)?$/.exec(url.pathname) ?? [];
  const search = withoutKey(url.search);
  return project === undefined ? { project: null, path: `${url.pathname}${search}` } : { project, path: `${rest ?? "/"}${search}` };
}

/** The key stays at the bridge. */
function withoutKey(search: string): string {
  const isKey = (pair: string) => new URLSearchParams(pair).has("psk");
  const left = search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !isKey(pair));
  return left.length === 0 ? "" : `?${left.join("&")}`;
}

/** What the engine answers; null: it is a file's. */
export function enginePath(path: string): string | null {
  const url = new URL(`http://bridge${path}`);
  if (unroutedPaths.test(url.pathname) || agentPaths.test(url.pathname)) return null;
  return ownPath(url, base);
}

export function agentsPath(path: string): string | null {
  return agentPaths.test(new URL(`http://bridge${path}`).pathname) ? path : null;
}

/** Agents' clients connect to `/`, or to an address with their key in it. */
export function agentsStream(path: string): string | null {
  const { pathname, search } = new URL(`http://bridge${path}`);
  const found = /^(\/k\/[^/]+)?\/?$/.exec(pathname);
  return found && `${found[1] ?? ""}/v2/stream${search}`;
}

export function streamPath(path: string): string | null {
  return path.startsWith("/ws/") ? path : null;
}
