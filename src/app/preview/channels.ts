/** What keeps a previewed page from opening connections differs between browser engines; this says what is left open, before a page runs. */

/**
 * `navigation`: the browser connects to the host of an address that a page's script leads to, before the policy refuses it.
 * `press`: the browser may connect to a link's host while the link is pressed, before any script hears of it.
 * `untested`: an engine in which the preview's limits were not tested.
 */
export type Channel = "navigation" | "press" | "untested";

export type Engine = { readonly name: "chromium"; readonly version: number } | { readonly name: "gecko" | "webkit" | "unknown" };

interface Navigated {
  readonly userAgent: string;
  readonly userAgentData?: { readonly brands: readonly { readonly brand: string; readonly version: string }[] };
}

/** The engine behind a browser's name. Chromium tells its version under its own name, whatever is built on it. */
export function engineOf({ userAgent, userAgentData }: Navigated): Engine {
  const brand = userAgentData?.brands.find((each) => each.brand === "Chromium");
  const version = Number(brand?.version ?? /\bChrom(?:e|ium)\/(\d+)/.exec(userAgent)?.[1] ?? Number.NaN);
  if (Number.isSafeInteger(version)) return { name: "chromium", version };
  if (/\bGecko\/\d/.test(userAgent)) return { name: "gecko" };
  return { name: /\bAppleWebKit\//.test(userAgent) ? "webkit" : "unknown" };
}

/** The first Chromium in which `Connection-Allowlist` was tested to stop every connection (e2e/preview-leaks.spec.ts). */
export const firstListing = 156;

/** What stays open. `listed`: the preview's document comes with a `Connection-Allowlist`; no script can tell whether a browser obeys it. */
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
