import type { NetRequest } from "../../shell/network.ts";

type Header = NetRequest["headers"][number];

export type RequestHeaders = { readonly ok: true; readonly headers: readonly Header[] } | { readonly ok: false; readonly why: string };

/** The browser sets its own values, which serve the same purpose. */
const written = new Set([
  "accept-charset",
  "accept-encoding",
  "connection",
  "content-length",
  "date",
  "dnt",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "via",
]);

/** A browser lets no page set these. Without them it would be a different request. */
const unwritable = new Set([
  "access-control-request-headers",
  "access-control-request-method",
  "access-control-request-private-network",
  "cookie",
  "cookie2",
  "origin",
  "permissions-policy",
  "referer",
  "set-cookie",
]);

const methodHeaders = new Set(["x-http-method", "x-http-method-override", "x-method-override"]);

/** Names of headers that identify the sender, by their last word: `authorization`, `x-goog-api-key`, `private-token`, `apikey`. */
const credential = /(?:^|[-_]|api|access)(?:auth|authorization|credentials?|key|passw(?:or)?d|secret|session|token)$/;

/** Whether a header identifies the sender. Another host must not get it. An idempotency key only names a request, so it doesn't count. */
export function isCredential(name: string): boolean {
  return credential.test(name.toLowerCase()) && !/(?:^|-)idempotency-key$/i.test(name);
}

/**
 * The headers of a command's request that a browser sends unchanged. Headers that the browser sets itself are left out. A header that it would
 * silently drop makes the request fail, because the request would not be the intended one.
 */
export function requestHeaders(headers: readonly Header[], host: string): RequestHeaders {
  const out: Header[] = [];
  for (const [given, value] of headers) {
    const name = given.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))
      return { ok: false, why: `${JSON.stringify(given.slice(0, 100))} is not a header's name` };
    if (/[^\t -~\u0080-\u00ff]/.test(value)) return { ok: false, why: `the value of the header ${name} can't be sent` };
    if (name === "host") {
      if (value.trim().toLowerCase() !== host) return unsendable(name);
    } else if (unwritable.has(name) || name.startsWith("proxy-") || name.startsWith("sec-")) return unsendable(name);
    else if (methodHeaders.has(name) && /^\s*(?:connect|trace|track)\s*(?:,|$)/i.test(value)) return unsendable(name);
    else if (!written.has(name)) out.push([name, value]);
  }
  return { ok: true, headers: out };
}

/** The headers to send to another origin. */
export function withoutCredentials(headers: readonly Header[]): Header[] {
  return headers.filter(([name]) => !isCredential(name));
}

/** The headers that make sense without a body. */
export function withoutBody(headers: readonly Header[]): Header[] {
  return headers.filter(([name]) => !/^content-(?:encoding|language|length|location|type)$/i.test(name));
}

function unsendable(name: string): RequestHeaders {
  return { ok: false, why: `a browser does not send the header ${name} for a page, so the request was not made; leave the header out` };
}
