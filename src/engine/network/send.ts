import { limits } from "../../protocol/limits.ts";
import type { Timers } from "../providers/deps.ts";
import type { Fetch } from "./external-fetch.ts";
import type { NetAnswer, NetRequest } from "../../shell/network.ts";

/** One request to one checked address. */
export interface Sending extends Pick<NetRequest, "method" | "headers" | "body"> {
  readonly url: string;
}

export type Answer = Extract<NetAnswer, { kind: "answer" }>;

export type Sent =
  | Answer
  /** `location`: the target as the server wrote it. Null: the browser hides both the target and the response. */
  | { readonly kind: "redirect"; readonly location: string; readonly answer: Answer }
  | { readonly kind: "redirect"; readonly location: null; readonly answer: null }
  | { readonly kind: "failed"; readonly why: string };

/** Sends one request, only to its own address: a redirect is a result. Always resolves, never rejects. */
export type Send = (sending: Sending, signal: AbortSignal) => Promise<Sent>;

export interface SendDeps {
  readonly fetch: Fetch;
  readonly timers: Pick<Timers, "after">;
}

const redirects = new Set([301, 302, 303, 307, 308]);

export const tooLarge = `the response is larger than ${limits.networkAnswerBytes / 1_000_000} MB, the limit per request`;

/** `Send` with the platform's fetch: no cookies, no referrer, no cache. */
export function fetchSend({ fetch, timers }: SendDeps): Send {
  return async (sending, signal) => {
    const late = new AbortController();
    const stop = timers.after(limits.networkMs, () => late.abort());
    const either = AbortSignal.any([signal, late.signal]);
    try {
      return await sendOnce(fetch, sending, either);
    } catch (error) {
      return { kind: "failed", why: failure(error, signal, late.signal) };
    } finally {
      stop();
    }
  };
}

async function sendOnce(fetch: SendDeps["fetch"], { url, method, headers, body }: Sending, signal: AbortSignal): Promise<Sent> {
  const response = await fetch(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    // A copy, because data from the sandbox may be shared memory, which fetch refuses.
    ...(body === null ? {} : { body: new Uint8Array(body) }),
    redirect: "manual",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
    signal,
  });
  if (response.type === "opaqueredirect") return { kind: "redirect", location: null, answer: null };
  const bytes = await bodyOf(response);
  if (bytes === null) {
    return { kind: "failed", why: tooLarge };
  }
  const answer: Answer = {
    kind: "answer",
    url,
    status: response.status,
    statusText: response.statusText,
    headers: answerHeaders([...response.headers], method, bytes.length),
    body: bytes,
  };
  const location = redirects.has(response.status) ? response.headers.get("location") : null;
  return location === null ? answer : { kind: "redirect", location, answer };
}

/** The body. Null if it is too large. The rest is then not read. */
async function bodyOf({ body }: Response): Promise<Uint8Array | null> {
  if (!body) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limits.networkAnswerBytes) {
      await reader.cancel();
      return null;
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The body was unpacked, so its original encoding and length no longer apply. */
export function answerHeaders(headers: Answer["headers"], method: string, length: number): Answer["headers"] {
  if (method === "HEAD") return headers;
  return headers.filter(([name, value]) => name !== "content-encoding" && (name !== "content-length" || value === String(length)));
}

function failure(error: unknown, stopped: AbortSignal, late: AbortSignal): string {
  if (stopped.aborted) return "the request was stopped";
  if (late.aborted) return `no complete response within ${limits.networkMs / 1000} s`;
  const message = error instanceof Error ? error.message : String(error);
  return `couldn't connect to the host, or it doesn't allow requests from browsers (${message})`;
}
