/** Where it is kept that this browser isolates the app's pages: the page writes it, and the service worker reads it before it answers. */

/** The value of `Cross-Origin-Embedder-Policy`. */
export type Isolation = "credentialless" | "require-corp";

export const isIsolation = (text: string): text is Isolation => text === "credentialless" || text === "require-corp";

/** Its name ends with the app's own address, as those of all caches that go when everything is removed. */
export const isolationCache = (scope: string): string => `vibey-isolation-${scope}`;

/** The address under which it is kept; nothing is ever served there. */
export const isolationKey = (scope: string): string => `${scope}isolation`;
