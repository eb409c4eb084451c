import type { HostNeed, NetworkAsk } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { isCredential } from "./headers.ts";
import { unexplainedBytes } from "./negotiation.ts";
import type { Sending } from "./send.ts";

/** What has to be allowed before a request goes out, and why. */
export interface Need extends Pick<NetworkAsk, "needs" | "carries" | "credentials" | "body" | "address"> {}

export interface Known {
  /** The text of the command, when a person approved this very command: what stands in it was read. Else null. */
  readonly text: string | null;
  /** The address is what a server answered with, so nothing of the project is in it. */
  readonly fromServer: boolean;
  /** Names of git objects that this host told this command. */
  readonly advertised: ReadonlySet<string>;
}

/**
 * What a request may carry out of the project. Vibey does not track bytes through a command, so the rule is about the request alone: a body may be
 * the project's unless it stands, whole, in the text of a command that a person approved; so may an address and headers that are long, and
 * headers that say who asks. A request for what a git repository holds is a read as long as it says little else than what its server told.
 */
export function needOf({ url, method, headers, body }: Sending, known: Known): Need {
  const { pathname, search } = new URL(url);
  const address = pathname.length + search.length;
  const lower = known.text?.toLowerCase() ?? null;
  const isSeen = (text: string): boolean => known.text !== null && known.text.includes(text);
  const credentials = headers.filter(([name]) => isCredential(name));
  const about = {
    body: body && body.length > 0 ? { bytes: body.length, type: typeOf(headers) } : null,
    address,
    credentials: credentials.map(([name]) => name),
  };
  const unseenAddress = known.fromServer || isSeen(url) || isSeen(decoded(url)) ? 0 : address;
  const unseenHeaders = headers.reduce((sum, [name, value]) => sum + unread(name, lower) + unread(value, known.text), 0);
  const isGitRead = method === "POST" && body !== null && isNegotiation(pathname, headers);
  const carries: NetworkAsk["carries"][number][] = [];
  if (about.body !== null && body !== null) {
    const isSafe = isGitRead ? unexplainedBytes(body, known.advertised) <= limits.networkUnseen : isSeenBody(body, known.text);
    if (!isSafe) carries.push("body");
  }
  if (unseenAddress + unseenHeaders > limits.networkUnseen) carries.push("address");
  if (credentials.some(([, value]) => !isSeen(value) && !isSeenBasic(value, known.text))) carries.push("credentials");
  return { ...about, carries, needs: carries.length > 0 ? uploads : isRead(method, about.body) || isGitRead ? "GET only" : "any method" };
}

const uploads: HostNeed = "any method and uploads";

/** Characters that say which part of a text is meant. */
const choice = 4;

/** How much a part of a header says that was not read. With enough parts of a text that was, anything can be said. */
function unread(part: string, text: string | null): number {
  return text?.includes(part) ? Math.min(part.length, choice) : part.length;
}

function isRead(method: string, body: Need["body"]): boolean {
  return (method === "GET" || method === "HEAD") && body === null;
}

function isNegotiation(pathname: string, headers: Sending["headers"]): boolean {
  return pathname.endsWith("/git-upload-pack") && typeOf(headers) === "application/x-git-upload-pack-request";
}

function typeOf(headers: Sending["headers"]): string | null {
  return headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null;
}

function isSeenBody(body: Uint8Array, text: string | null): boolean {
  if (text === null) return false;
  try {
    return text.includes(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    // What is no text stands in no command.
    return false;
  }
}

/** `curl -u user:password` sends both in base64. */
function isSeenBasic(value: string, text: string | null): boolean {
  const [, packed] = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
  if (packed === undefined || text === null) return false;
  try {
    return text.includes(atob(packed));
  } catch {
    return false;
  }
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
