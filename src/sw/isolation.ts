import { isIsolation, type Isolation, isolationCache, isolationKey } from "../app/container-host/isolation-flag.ts";

/** The sources of a container's frame and of the pages of its servers. */
const containerSources = "https://stackblitz.com https://*.webcontainer-api.io";

/** Documents and worker scripts. Everything else that they load is the app's own and needs no headers. */
const own = /^(index\.html|(engine|sandbox|net|preview|program)\/.*)$/;

const withContainer = (policy: string): string =>
  policy.replace(/(^|; ?)frame-src [^;"]*/, (directive) => `${directive} ${containerSources}`);

/** Adds the headers that isolate the app's pages to a file's other headers. `name`: the path under the base. */
export function isolatedHeaders(
  headers: Readonly<Record<string, string>>,
  name: string,
  isolation: Isolation,
): Readonly<Record<string, string>> {
  if (!own.test(name)) return headers;
  const all = { ...headers, "Cross-Origin-Embedder-Policy": isolation };
  // These pages have their own origin.
  if (/^(preview|program)\//.test(name)) return { ...all, "Cross-Origin-Resource-Policy": "cross-origin" };
  if (name !== "index.html") return all;
  const policy = headers["Content-Security-Policy"];
  return {
    ...all,
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(policy === undefined ? {} : { "Content-Security-Policy": withContainer(policy) }),
  };
}

/** The app's page with the container's sources in the policy of its `<meta>` element. */
export const isolatedPage = (html: string): string =>
  html.replace(
    /(<meta http-equiv="Content-Security-Policy" content=")([^"]*)/,
    (_all, tag: string, policy: string) => tag + withContainer(policy),
  );

/**
 * Knows whether this browser isolates the app's pages. Reads the setting again for every page and frame. It then applies to everything that they
 * load.
 */
export function createIsolation(storage: Pick<CacheStorage, "has" | "open">, scope: string) {
  let known: Promise<Isolation | null> | null = null;
  async function read(): Promise<Isolation | null> {
    // Opening a cache would create it.
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
