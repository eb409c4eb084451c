/** The shape of `fetch`, for what is given one. */
export type Fetch = typeof fetch;

/**
 * The engine's one way to other hosts: providers, and what commands ask for. An answer can hold the key that was sent (servers echo it), and a
 * browser's disk cache keeps answers in plain text, so nothing is stored, whatever the server's headers say. No cookie, no stored login and no
 * referrer goes along. A redirect is never followed here: a header that holds a key would go along to wherever that leads. The linter refuses
 * every other `fetch` of the engine (.oxlintrc.json).
 */
export function reachOutside(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  return fetch(input, {
    ...init,
    redirect: init.redirect === "manual" ? "manual" : "error",
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
}
