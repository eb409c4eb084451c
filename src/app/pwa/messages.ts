/**
 * A service worker's request to an open page: hand the attached port to its engine. The page first answers `Lent` over that port. A page that can't
 * do it doesn't answer.
 */
export interface LendEngine {
  readonly kind: "lend-engine";
}

export interface Lent {
  readonly kind: "lent";
}

/** A page's request to the worker that will be replaced, with a port for `QuietNow`. An older worker that doesn't know it doesn't answer. */
export interface WhenQuiet {
  readonly type: "WHEN_QUIET";
}

/** The worker has had no requests for a while, or has waited long enough for that. */
export interface QuietNow {
  readonly kind: "quiet";
}

/**
 * A service worker's request to an open page while another page of the app is loading: hand the attached port to its engine's worker, which answers
 * with the session's keys (`engine/tabs/carried-keys.ts`), or null.
 */
export interface HandOver {
  readonly kind: "hand-over-keys";
}

/**
 * The request of a page that was just loaded to the service worker, with a port over which its engine's worker gets the keys that were handed over,
 * or null.
 */
export interface TakeKeys {
  readonly type: "TAKE_KEYS";
}
