import type { IncomingMessage } from "node:http";
import { ownPath } from "../src/protocol/own-paths.ts";

/** Paths for agents outside, which check an agent key. */
const agentPaths = /^\/(?:v2|event|hooks|k|health|stats|sessions)(?:\/|$)/;
/** Paths that only a page uses, or that belong to another port. */
const unroutedPaths = /^\/(?:bridge|line)(?:\/|$)/;

const base = new URL("http://bridge/");

export function urlOf(request: IncomingMessage): URL | null {
  const { url = "/" } = request;
  return url.startsWith("/") && URL.canParse(url, base) ? new URL(`http://bridge${url}`) : null;
}

/** The path inside a project, with its query, but without the key. `project` is null for the first project. */
export function parseProjectPath(url: URL): { readonly project: string | null; readonly path: string } {
  const [, project, rest] = /^\/p\/([a-z0-9]{1,12})(\/.*)?$/.exec(url.pathname) ?? [];
  const search = withoutKey(url.search);
  return project === undefined ? { project: null, path: `${url.pathname}${search}` } : { project, path: `${rest ?? "/"}${search}` };
}

/** Removes the key, which must not leave the bridge. */
function withoutKey(search: string): string {
  const isKey = (pair: string) => new URLSearchParams(pair).has("psk");
  const left = search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !isKey(pair));
  return left.length === 0 ? "" : `?${left.join("&")}`;
}

/** The path for the engine. Null: the path is that of a file, of an agent, or not routed. */
export function enginePath(path: string): string | null {
  const url = new URL(`http://bridge${path}`);
  if (unroutedPaths.test(url.pathname) || agentPaths.test(url.pathname)) return null;
  return ownPath(url, base);
}

export function agentsPath(path: string): string | null {
  return agentPaths.test(new URL(`http://bridge${path}`).pathname) ? path : null;
}

/** The path of an agent client's stream. Such clients connect to `/`, or to an address with their key. Null: another path. */
export function agentsStream(path: string): string | null {
  const { pathname, search } = new URL(`http://bridge${path}`);
  const found = /^(\/k\/[^/]+)?\/?$/.exec(pathname);
  return found && `${found[1] ?? ""}/v2/stream${search}`;
}

export function streamPath(path: string): string | null {
  return path.startsWith("/ws/") ? path : null;
}
