/** The type of `fetch`, for code that receives one. */
export type Fetch = typeof fetch;

/**
 * The engine's only way to other hosts: to providers, and for commands. A response can contain the key that was sent (servers echo it), and a
 * browser's disk cache stores responses in plain text. So nothing is cached, whatever the server's headers say. No cookies, stored logins or
 * referrers are sent. Redirects are never followed here: a header with a key would be sent to the target. The linter refuses every other `fetch` in
 * the engine (.oxlintrc.json).
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
