import { ownSegments } from "./own-segments.ts";

const segments: ReadonlySet<string> = new Set(ownSegments);

/** These paths also belong to the router. They are listed exactly, because the folder of that name holds the sandbox's scripts. */
const ownFiles = /^sandbox(?:\/start|\/node|\/servers\/[^/]*\/(?:stop|request))?$/;

/** The path below the app's base, with its query, if the router answers it. Null for any other URL. `base` ends with a slash. */
export function ownPath(url: URL, base: URL): string | null {
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return null;
  const rest = url.pathname.slice(base.pathname.length);
  return ownFiles.test(rest) || segments.has(rest.split("/", 1)[0] ?? "") ? `/${rest}${url.search}` : null;
}
