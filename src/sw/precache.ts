import { PrecacheController } from "workbox-precaching";
import type { Isolation } from "../app/container-host/isolation-flag.ts";
import { type HeaderRule, headersFor, withHeaders } from "./headers.ts";
import type { LateFiles } from "./late-files.ts";
import { isolatedHeaders, isolatedPage } from "./isolation.ts";

export interface BuiltFile {
  /** Relative to the app's base. */
  readonly url: string;
  /** Of the content; null where the name tells one content from another. */
  readonly revision: string | null;
  /** What the host answers is stored when it is this, to the byte. */
  readonly integrity: string;
}

/** Folders in which every name tells its content, so that an older version's file can be told from this one's. */
const named = /^(assets|engine|sandbox)\//;

/**
 * The build's files, kept for a start without a network, and answered with the headers that `rules` give them, whatever
 * the host sent; `isolation` says whether with those that isolate a page, too. Nothing but the build's files is ever stored; some of them only once they were used (`late`).
 *
 * What an older version has stored stays as long as a page of it may live: it loads chunks under its own names.
 */
export function createPrecache(
  files: readonly BuiltFile[],
  rules: readonly HeaderRule[],
  scope: URL,
  isolation: (request: Request) => Promise<Isolation | null>,
  late: LateFiles,
) {
  const controller = new PrecacheController({
    // No one waits for these. The host is asked whether what the browser kept is right: a false answer may have been marked as good for a year.
    plugins: [{ requestWillFetch: async ({ request }) => new Request(request, { priority: "low", cache: "no-cache" }) }],
  });
  controller.addToCacheList(files.map((file) => ({ ...file, url: new URL(file.url, scope).href })));

  /** The file's name under the base; null when the URL is not under it. The page has two addresses. */
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
    // What is not kept is large, and anyone who waits for it is shown how much has come.
    const response = await fetch(request);
    if (response.ok && late.has(name)) {
      // Where there is no room for it, it is fetched again the next time.
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
    /** The answer to a request for a file of this build, or of an older one that is still kept; null for anything else. */
    answer(request: Request, waitUntil: (work: Promise<void>) => void): Promise<Response> | null {
      const name = request.method === "GET" ? nameOf(request.url) : null;
      if (name === null) return null;
      const address = new URL(name, scope).href;
      const key = controller.getCacheKeyForURL(address) ?? (named.test(name) ? address : undefined);
      return key === undefined ? null : find(request, name, key, waitUntil);
    },
  };
}
