/** Where the browser stores that the app's pages are isolated. The page writes it, and the service worker reads it before it answers. */

/** The value of `Cross-Origin-Embedder-Policy`. */
export type Isolation = "credentialless" | "require-corp";

export const isIsolation = (text: string): text is Isolation => text === "credentialless" || text === "require-corp";

/** The name ends with the app's address, like all caches that are deleted when everything is removed. */
export const isolationCache = (scope: string): string => `vibey-isolation-${scope}`;

/** The address of the stored value. Nothing is ever served from there. */
export const isolationKey = (scope: string): string => `${scope}isolation`;
