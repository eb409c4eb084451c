/**
 * What a service worker asks of an open page: to hand the port that comes with it to its engine. The page answers `Lent` over
 * that port first; a page that can't, says nothing.
 */
export interface LendEngine {
  readonly kind: "lend-engine";
}

export interface Lent {
  readonly kind: "lent";
}

/** What a page asks of the worker that is to be replaced, with a port for `QuietNow`. One that does not know of it says nothing. */
export interface WhenQuiet {
  readonly type: "WHEN_QUIET";
}

/** Nothing was asked of the worker in a while, or it has waited for that long enough. */
export interface QuietNow {
  readonly kind: "quiet";
}

/**
 * What a service worker asks of an open page while a page of the app is being loaded: to hand the port that comes with it to its engine's worker,
 * which answers with the session's keys (`engine/tabs/carried-keys.ts`), or null.
 */
export interface HandOver {
  readonly kind: "hand-over-keys";
}

/** What a page that was just loaded asks of the service worker, with a port over which its engine's worker gets what was handed over, or null. */
export interface TakeKeys {
  readonly type: "TAKE_KEYS";
}
