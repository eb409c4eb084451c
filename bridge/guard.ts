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
  /** Origins that may call. */
  readonly origins: () => readonly string[];
  readonly now: () => number;
}

/** Who may call: every request is asked for its Host, and all but the app's files for where it comes from, and for the key. */
export interface Guard {
  /** Whether its address asks too much. */
  often(request: IncomingMessage): Rejection | null;
  /** Checks the Host header against the bridge's own names. This blocks DNS rebinding. */
  host(request: IncomingMessage): Rejection | null;
  /** Whether it comes from a program, or from a page that may. */
  origin(request: IncomingMessage): Rejection | null;
  key(request: IncomingMessage, url: URL): Promise<Rejection | null>;
}

/** From one address: wrong keys in a minute after which none is tried, and requests in a second. */
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
      // A page that asks for a picture, or opens a window, sends no Origin.
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

/** Without its port; null: it is none. Nothing else of an address may stand in it, such as a user's name. */
function hostName(host: string): string | null {
  if (host === "" || /[@/?#\\]/.test(host) || !URL.canParse(`http://${host}/`)) return null;
  return new URL(`http://${host}/`).hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
}
