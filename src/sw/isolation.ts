import { isIsolation, type Isolation, isolationCache, isolationKey } from "../app/container-host/isolation-flag.ts";

/** Where a container's frame and the pages of its servers come from. */
const containerSources = "https://stackblitz.com https://*.webcontainer-api.io";

/** Documents and scripts of workers; what else they load is the app's own, and no one asks for its headers. */
const own = /^(index\.html|(engine|sandbox|net|preview|program)\/.*)$/;

const withContainer = (policy: string): string =>
  policy.replace(/(^|; ?)frame-src [^;"]*/, (directive) => `${directive} ${containerSources}`);

/** The headers of a file of the app with which its pages are isolated, from those that it has otherwise. `name`: under the base. */
export function isolatedHeaders(
  headers: Readonly<Record<string, string>>,
  name: string,
  isolation: Isolation,
): Readonly<Record<string, string>> {
  if (!own.test(name)) return headers;
  const all = { ...headers, "Cross-Origin-Embedder-Policy": isolation };
  // These pages have an origin of their own.
  if (/^(preview|program)\//.test(name)) return { ...all, "Cross-Origin-Resource-Policy": "cross-origin" };
  if (name !== "index.html") return all;
  const policy = headers["Content-Security-Policy"];
  return {
    ...all,
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(policy === undefined ? {} : { "Content-Security-Policy": withContainer(policy) }),
  };
}

/** The app's page with the same in the policy that it carries itself. */
export const isolatedPage = (html: string): string =>
  html.replace(
    /(<meta http-equiv="Content-Security-Policy" content=")([^"]*)/,
    (_all, tag: string, policy: string) => tag + withContainer(policy),
  );

/** Knows whether this browser isolates the app's pages. It is read again for every page and frame, and holds for what they load then. */
export function createIsolation(storage: Pick<CacheStorage, "has" | "open">, scope: string) {
  let known: Promise<Isolation | null> | null = null;
  async function read(): Promise<Isolation | null> {
    // Asked for by name, a cache is made.
    if (!(await storage.has(isolationCache(scope)))) return null;
    const kept = await (await storage.open(isolationCache(scope))).match(isolationKey(scope));
    const text = (await kept?.text()) ?? "";
    return isIsolation(text) ? text : null;
  }
  return async ({ mode }: Pick<Request, "mode">): Promise<Isolation | null> => {
    if (mode === "navigate" || known === null) known = read();
    try {
      return await known;
    } catch (error) {
      known = null;
      console.error("Whether pages are isolated could not be read; they are not.", error);
      return null;
    }
  };
}
