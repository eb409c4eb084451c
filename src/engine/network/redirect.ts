import { withoutBody, withoutCredentials } from "./headers.ts";
import type { Sending } from "./send.ts";

/**
 * The request that follows a redirect, by the rules of fetch. 303 repeats it with GET, and so do 301 and 302 after POST. Others repeat it unchanged.
 * Headers that identify the sender are not sent to another origin.
 */
export function redirected(sending: Sending, status: number, to: URL): Sending {
  const { method } = sending;
  const asGet = (status === 303 && method !== "GET" && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  const elsewhere = new URL(sending.url).origin !== to.origin;
  const headers = elsewhere ? withoutCredentials(sending.headers) : sending.headers;
  return {
    url: to.href,
    method: asGet ? "GET" : method,
    headers: asGet ? withoutBody(headers) : headers,
    body: asGet ? null : sending.body,
  };
}
