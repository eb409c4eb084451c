import { limits } from "../../protocol/limits.ts";
import type { Timers } from "../providers/deps.ts";
import { loopbacks } from "./private-hosts.ts";
import { type Reserved, readAddress } from "./address.ts";
import { withoutCredentials } from "./headers.ts";
import { type Answer, answerHeaders, type Sending, tooLarge } from "./send.ts";

export type Followed =
  | Answer
  /** A redirect led to an origin that is not allowed, and was not followed. */
  | { readonly kind: "blocked" }
  | { readonly kind: "failed"; readonly why: string };

/**
 * Makes a request and follows redirects only to `origins`, where scripts can't see the target. Other addresses are never reached. Always resolves,
 * never rejects.
 */
export type Follow = (sending: Sending, origins: readonly string[], signal: AbortSignal) => Promise<Followed>;

/** The origins to which redirects of a request to `url` may lead, if these hosts may be reached. */
export function originsFor({ headers }: Sending, url: URL, hosts: Iterable<string>, reserved: readonly Reserved[]): string[] {
  // On the way to another host, the browser removes only one of these headers.
  if (withoutCredentials(headers).length < headers.length) return [url.origin];
  const isHere = loopbacks.includes(url.hostname);
  const origins = new Set([url.origin]);
  for (const host of hosts) {
    for (const scheme of ["https:", "http:"]) {
      const address = readAddress(`${scheme}//${host}`, reserved);
      // Another host must not redirect to this device.
      if (address.ok && address.host === host && (isHere || !loopbacks.includes(address.url.hostname))) origins.add(address.url.origin);
    }
  }
  // A policy can't express an IPv6 address.
  return [...origins].filter((origin) => !origin.includes("["));
}

/** The messages of `public/net/request.js`. */
type FromFrame =
  | {
      readonly type: "answer";
      readonly url: string;
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: ArrayBuffer;
    }
  | { readonly type: "blocked" | "large" }
  | { readonly type: "failed"; readonly message: string };

export interface FrameFollowDeps {
  /** Passes the other end to a new frame. */
  readonly openFrame: (port: MessagePort) => void;
  readonly timers: Pick<Timers, "after">;
}

/** `Follow` in a frame of the page, whose policy lists the origins: the browser checks each redirect against it. */
export function frameFollow({ openFrame, timers }: FrameFollowDeps): Follow {
  return ({ url, method, headers }, sources, signal) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      const settle = (followed: Followed): void => {
        stopTimer();
        signal.removeEventListener("abort", onAbort);
        port1.postMessage({ type: "abort" });
        port1.close();
        resolve(followed);
      };
      const fail = (why: string): void => settle({ kind: "failed", why });
      const onAbort = (): void => fail("the request was stopped");
      const stopTimer = timers.after(limits.networkMs, () => fail(`no complete response within ${limits.networkMs / 1000} s`));
      signal.addEventListener("abort", onAbort);
      port1.addEventListener("message", ({ data }: MessageEvent<FromFrame>) => settle(followedOf(data, method)));
      port1.start();
      if (signal.aborted) return onAbort();
      openFrame(port2);
      port1.postMessage({ type: "request", url, method, headers, sources, mostBytes: limits.networkAnswerBytes });
    });
}

function followedOf(said: FromFrame, method: string): Followed {
  switch (said.type) {
    case "answer":
      return {
        kind: "answer",
        url: said.url,
        status: said.status,
        statusText: said.statusText,
        headers: answerHeaders(said.headers, method, said.body.byteLength),
        body: new Uint8Array(said.body),
      };
    case "blocked":
      return { kind: "blocked" };
    case "large":
      return { kind: "failed", why: tooLarge };
    case "failed":
      return { kind: "failed", why: `a redirect could not be followed (${said.message})` };
  }
}
