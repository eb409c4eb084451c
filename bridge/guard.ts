import type { IncomingMessage } from "node:http";
import { createCounts } from "./counts.ts";
import { isKey } from "../src/protocol/bridge/proof.ts";

/** Why a request isn't let in. */
export interface Rejection {
  readonly status: 401 | 403 | 421 | 429;
  readonly why: string;
}

export interface GuardParts {
  readonly key: CryptoKey;
  readonly hosts: readonly string[];
  /** The allowed origins of pages. */
  readonly origins: () => readonly string[];
  readonly now: () => number;
}

/** Decides which requests are allowed. The Host is checked for every request. The origin and the key are checked for all but the app's files. */
export interface Guard {
  /** Rejects if the address sends too many requests. */
  often(request: IncomingMessage): Rejection | null;
  /** Checks the Host header against the bridge's own names. This blocks DNS rebinding. */
  host(request: IncomingMessage): Rejection | null;
  /** Checks that the request comes from a program, or from a page of an allowed origin. */
  origin(request: IncomingMessage): Rejection | null;
  key(request: IncomingMessage, url: URL): Promise<Rejection | null>;
}

/** Limits for one address: wrong keys per minute, after which no key is checked, and requests per second. */
const most = { wrong: 20, requests: 2_000 } as const;

export function createGuard({ key, hosts, origins, now }: GuardParts): Guard {
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  const wrong = createCounts(most.wrong, 60_000, now);
  const asked = createCounts(most.requests, 1_000, now);
  let last: Promise<unknown> = Promise.resolve();

  async function check(address: string, given: string | readonly string[] | null): Promise<Rejection | null> {
    if (wrong.isFull(address)) return { status: 429, why: "Too many wrong keys. Try again in a minute." };
    if (typeof given === "string" && (await isKey(key, given))) return null;
    if (given !== null) wrong.add(address);
    return { status: 401, why: "Unauthorized" };
  }

  return {
    often({ socket }) {
      const address = socket.remoteAddress ?? "";
      if (asked.isFull(address)) return { status: 429, why: "Too many requests. Try again in a second." };
      asked.add(address);
      return null;
    },
    host({ headers, headersDistinct }) {
      const name = headersDistinct["host"]?.length === 1 ? hostName(headers.host ?? "") : null;
      return name !== null && names.has(name) ? null : { status: 421, why: "This server has another name" };
    },
    origin({ headers }) {
      const { origin } = headers;
      if (origin !== undefined) return origins().includes(origin) ? null : { status: 403, why: "Pages of this origin may not call" };
      // If a page loads an image or opens a window, the request has no Origin.
      const site = headers["sec-fetch-site"];
      return site === undefined || site === "same-origin" || site === "none" ? null : { status: 403, why: "Other pages may not call" };
    },
    key({ headers, socket }, url) {
      // Check keys one at a time, so that parallel guesses are rate-limited like sequential ones.
      const result = last.then(() => check(socket.remoteAddress ?? "", headers["x-psk"] ?? url.searchParams.get("psk")));
      last = result.catch(() => undefined);
      return result;
    },
  };
}

/** A Host header without its port. Null: invalid. It must not contain other parts of a URL, such as a user name. */
function hostName(host: string): string | null {
  if (host === "" || /[@/?#\\]/.test(host) || !URL.canParse(`http://${host}/`)) return null;
  return new URL(`http://${host}/`).hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
}
