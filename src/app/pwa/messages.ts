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
