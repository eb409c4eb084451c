import { ownSegments } from "./own-segments.ts";

const segments: ReadonlySet<string> = new Set(ownSegments);

/** The router's too, as they stand: the folder of that name holds the sandbox's scripts. */
const ownFiles = /^sandbox(?:\/start|\/node|\/servers\/[^/]*\/(?:stop|request))?$/;

/**
 * The path under the app's base with its query, when the router answers it; null when the URL is someone else's.
 * `base` ends with a slash.
 */
export function ownPath(url: URL, base: URL): string | null {
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return null;
  const rest = url.pathname.slice(base.pathname.length);
  return ownFiles.test(rest) || segments.has(rest.split("/", 1)[0] ?? "") ? `/${rest}${url.search}` : null;
}
