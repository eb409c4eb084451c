/** Browser engines differ in how they keep a previewed page from opening connections. This says which ways stay open, before a page runs. */

/**
 * `navigation`: when a page's script navigates to an address, the browser connects to its host before the policy blocks it. `press`: the browser may
 * connect to a link's host while the link is pressed, before any script is notified. `untested`: tests in this engine can't rule out connections or DNS lookups.
 */
export type Channel = "navigation" | "press" | "untested";

export type Engine = { readonly name: "chromium"; readonly version: number } | { readonly name: "gecko" | "webkit" | "unknown" };

interface Navigated {
  readonly userAgent: string;
  readonly userAgentData?: { readonly brands: readonly { readonly brand: string; readonly version: string }[] };
}

/** The engine of a browser. Chromium-based browsers report their version under the name Chromium. */
export function engineOf({ userAgent, userAgentData }: Navigated): Engine {
  const brand = userAgentData?.brands.find((each) => each.brand === "Chromium");
  const version = Number(brand?.version ?? /\bChrom(?:e|ium)\/(\d+)/.exec(userAgent)?.[1] ?? Number.NaN);
  if (Number.isSafeInteger(version)) return { name: "chromium", version };
  if (/\bGecko\/\d/.test(userAgent)) return { name: "gecko" };
  return { name: /\bAppleWebKit\//.test(userAgent) ? "webkit" : "unknown" };
}

/** The first Chromium in which `Connection-Allowlist` was tested to stop every connection (e2e/preview-leaks.spec.ts). */
export const firstListing = 156;

/**
 * The channels that stay open. `listed`: the preview's document comes with a `Connection-Allowlist`. No script can check whether a browser obeys it.
 */
export function openChannels(engine: Engine, listed: boolean): readonly Channel[] {
  switch (engine.name) {
    case "chromium":
      return listed && engine.version >= firstListing ? [] : ["navigation"];
    case "gecko":
    case "webkit":
      return ["press", "untested"];
    default:
      return ["untested"];
  }
}
