import type { IncomingMessage } from "node:http";
import { isKey } from "../src/protocol/line/proof.ts";

/** Why a request isn't let in. */
export interface Turned {
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
  /** Whether the bridge is called by a name of its own: a name that someone else has pointed at this machine is none. */
  host(request: IncomingMessage): Turned | null;
  /** Whether it comes from a program, or from a page that may. */
  origin(request: IncomingMessage): Turned | null;
  key(request: IncomingMessage, url: URL): Promise<Turned | null>;
}

/** Wrong keys in a minute after which none is tried. */
const mostWrong = 20;

export function createGuard({ key, hosts, origins, now }: GuardParts): Guard {
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  let wrong: number[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function check(given: string | readonly string[] | null): Promise<Turned | null> {
    const since = now() - 60_000;
    wrong = wrong.filter((time) => time > since);
    if (wrong.length >= mostWrong) return { status: 429, why: "Too many wrong keys. Try again in a minute." };
    if (typeof given === "string" && (await isKey(key, given))) return null;
    if (given !== null) wrong.push(now());
    return { status: 401, why: "Unauthorized" };
  }

  return {
    host({ headers }) {
      const name = hostName(headers.host ?? "");
      return name !== null && names.has(name) ? null : { status: 421, why: "This server has another name" };
    },
    origin({ headers }) {
      const { origin } = headers;
      if (origin !== undefined) return origins().includes(origin) ? null : { status: 403, why: "Pages of this origin may not call" };
      // A page that asks for a picture, or opens a window, sends no Origin.
      const site = headers["sec-fetch-site"];
      return site === undefined || site === "same-origin" || site === "none" ? null : { status: 403, why: "Other pages may not call" };
    },
    key({ headers }, url) {
      // One after another: of many that are tried at once, no more are tried than of as many in a row.
      const result = last.then(() => check(headers["x-psk"] ?? url.searchParams.get("psk")));
      last = result.catch(() => undefined);
      return result;
    },
  };
}

/** Without its port; null: it is none. */
function hostName(host: string): string | null {
  if (host === "" || !URL.canParse(`http://${host}/`)) return null;
  return new URL(`http://${host}/`).hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
}
