import type { HostNeed, NetworkAsk } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { isCredential } from "./headers.ts";
import { unexplainedBytes } from "./negotiation.ts";
import type { Sending } from "./send.ts";

/** The permission that a request needs, and why. */
export interface Need extends Pick<NetworkAsk, "needs" | "carries" | "credentials" | "body" | "address"> {}

export interface Known {
  /** The text of the command, if a person approved this individual command and so has read it. Otherwise null. */
  readonly text: string | null;
  /** The address comes from a server's response, so it contains nothing of the project. */
  readonly fromServer: boolean;
  /** Names of git objects that this host has sent to this command. */
  readonly advertised: ReadonlySet<string>;
}

/**
 * What a request may carry out of the project. Vibey does not track bytes through a command, so the rule looks only at the request. A body may belong
 * to the project unless all of it is in the text of a command that a person approved. The same applies to long addresses and headers, and to headers
 * that identify the sender. A git fetch counts as a read if it contains little that its server did not send before.
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

/** Characters that it takes to say which part of a text is meant. */
const choice = 4;

/**
 * How many characters of a header part no one has read. A part of a text that was read still counts a little, because with enough such parts anything
 * can be said.
 */
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
    // Binary data is in no command's text.
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
