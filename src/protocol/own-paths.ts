/** The first segments that belong to the router; everything else under the base is a static file. */
const ownSegments = new Set([
  "files",
  "file",
  "dialogs",
  "dialog",
  "events",
  "project.zip",
  "projects",
  "deed",
  "provider",
  "keys",
  "limits",
  "prices",
  "cost",
  "history",
  "search",
  "move",
  "copy",
  "copy.zip",
  "recovery",
]);

/** The router's too, as they stand: the folder of that name holds the sandbox's scripts. */
const ownFiles = /^sandbox(?:\/start|\/servers\/[^/]*\/stop)?$/;

/**
 * The path under the app's base with its query, when the router answers it; null when the URL is someone else's.
 * `base` ends with a slash.
 */
export function ownPath(url: URL, base: URL): string | null {
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return null;
  const rest = url.pathname.slice(base.pathname.length);
  return ownFiles.test(rest) || ownSegments.has(rest.split("/", 1)[0] ?? "") ? `/${rest}${url.search}` : null;
}
