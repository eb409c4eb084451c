import { PrecacheController } from "workbox-precaching";
import type { Isolation } from "../app/container-host/isolation-flag.ts";
import { type HeaderRule, headersFor, withHeaders } from "./headers.ts";
import type { LateFiles } from "./late-files.ts";
import { isolatedHeaders, isolatedPage } from "./isolation.ts";

export interface BuiltFile {
  /** Relative to the app's base. */
  readonly url: string;
  /** Identifies the content. Null if the name does. */
  readonly revision: string | null;
  /** A host's response is stored only if its bytes match this. */
  readonly integrity: string;
}

/** Folders in which every name identifies the content, so that files of older versions can be told apart. */
const named = /^(assets|engine|sandbox)\//;

/**
 * The build's files, stored for a start without a network, and served with the headers of `rules`, whatever the host sent. `isolation` says whether
 * to add the headers that isolate a page. Only the build's files are ever stored, some of them only after use (`late`).
 *
 * Files of an older version stay as long as one of its pages may be open: that page loads chunks under its own names.
 */
export function createPrecache(
  files: readonly BuiltFile[],
  rules: readonly HeaderRule[],
  scope: URL,
  isolation: (request: Request) => Promise<Isolation | null>,
  late: LateFiles,
) {
  const controller = new PrecacheController({
    // No one waits for these. The host is always asked whether the browser's cached copy is valid: a wrong response may have been marked as good for
    // a year.
    plugins: [{ requestWillFetch: async ({ request }) => new Request(request, { priority: "low", cache: "no-cache" }) }],
  });
  controller.addToCacheList(files.map((file) => ({ ...file, url: new URL(file.url, scope).href })));

  /** The file's name under the base. Null if the URL is not under the base. The page has two addresses. */
  function nameOf(address: string): string | null {
    const url = new URL(address);
    if (url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return null;
    return url.pathname.slice(scope.pathname.length) || "index.html";
  }

  async function find(request: Request, name: string, key: string, waitUntil: (work: Promise<void>) => void): Promise<Response> {
    const [cache, isolated] = await Promise.all([caches.open(controller.strategy.cacheName), isolation(request)]);
    const shipped = headersFor(rules, `/${name}`);
    const ownHeaders = isolated === null ? shipped : isolatedHeaders(shipped, name, isolated);
    const kept = await cache.match(key);
    if (kept && isolated !== null && name === "index.html")
      return withHeaders(kept, ownHeaders, new Blob([isolatedPage(await kept.text())]));
    // A stream that its page leaves half read would keep this worker busy, and a newer one waiting, for minutes.
    if (kept) return withHeaders(kept, ownHeaders, await kept.blob());
    const used = await late.find(name);
    if (used) return withHeaders(used, ownHeaders, await used.blob());
    // Files that are not stored are large. The page shows the progress while it waits for them.
    const response = await fetch(request);
    if (response.ok && late.has(name)) {
      // If there is no space for it, it is fetched again the next time.
      const keeping = late.keep(name, response.clone());
      waitUntil(keeping.catch((error: unknown) => console.warn(`${name} could not be kept for use offline:`, error)));
    }
    return response.ok ? withHeaders(response, ownHeaders) : response;
  }

  return {
    install: (event: ExtendableEvent) => controller.install(event),
    /** Deletes what older versions have left. */
    async tidy(event: ExtendableEvent): Promise<void> {
      await controller.activate(event);
      await late.tidy();
    },
    /** The response to a request for a file of this build, or of an older one that is still stored. Null for any other request. */
    answer(request: Request, waitUntil: (work: Promise<void>) => void): Promise<Response> | null {
      const name = request.method === "GET" ? nameOf(request.url) : null;
      if (name === null) return null;
      const address = new URL(name, scope).href;
      const key = controller.getCacheKeyForURL(address) ?? (named.test(name) ? address : undefined);
      return key === undefined ? null : find(request, name, key, waitUntil);
    },
  };
}
