import { isHost } from "../../dialog/ids.ts";
import { limits } from "../../protocol/limits.ts";
import { loopbacks, privateHost } from "./private-hosts.ts";

export type Address =
  /** `host`: as in the question to the user and in a dialog's file: lower case, with its port unless that is the default one. */
  | { readonly ok: true; readonly url: URL; readonly host: string }
  /** `why`: a sentence. */
  | { readonly ok: false; readonly why: string };

/** An address that commands can never reach, whatever a human allowed. */
export interface Reserved {
  readonly url: URL;
  /** A description for a sentence: `a provider's host`. */
  readonly what: string;
  /** Subdomains are blocked too. */
  readonly below: boolean;
}

/**
 * Whether commands may connect to this address if the user agrees. Checks the address as the platform parses it, which is the one that the request
 * uses. So no other spelling of a host gets through.
 *
 * - `https:`, and `http:` only to this device. No user name, no password.
 * - Not the host of a provider or Vibey's own. On this device only the same port is blocked, elsewhere every port.
 * - Not an address of a private network. Of this device only `localhost`, `127.0.0.1` and `[::1]`.
 *
 * A public name that resolves to a private address can't be detected: a browser shows no addresses.
 */
export function readAddress(text: string, reserved: readonly Reserved[], base?: URL): Address {
  if (text.length > limits.networkAddress) return refuse(`the address is longer than ${limits.networkAddress} characters`);
  if (!URL.canParse(text, base?.href)) return refuse(`${shown(text)} is not an address`);
  const url = new URL(text, base);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refuse(`only https: addresses are allowed, not ${shown(url.protocol)}`);
  }
  if (url.username !== "" || url.password !== "") return refuse("an address can't include a user name or password");
  // The final dot of a name is optional. The host is the same.
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  const { hostname, host } = url;
  const why = privateHost(hostname);
  if (why !== null) return refuse(`${shown(host)} ${why}`);
  if (!isHost(host) || hostname.split(".").includes("")) return refuse(`${shown(host)} isn't a host you can connect to`);
  if (url.protocol === "http:" && !loopbacks.includes(hostname)) return refuse(`${host} requires https:`);
  const closed = reserved.find((one) => isSameServer(one, url));
  if (closed) return refuse(`${host} is ${closed.what}, which commands can't connect to`);
  url.hash = "";
  return { ok: true, url, host };
}

/** Whether a text is a host, for a host that a user names before any request. */
export function isHostName(host: string): boolean {
  if (!isHost(host)) return false;
  // Both schemes reach this device, and each omits its own default port.
  return ["https:", "http:"].some((scheme) => {
    const address = URL.canParse(`${scheme}//${host}`) ? readAddress(`${scheme}//${host}`, []) : null;
    return address?.ok === true && address.host === host;
  });
}

function isSameServer({ url: closed, below }: Reserved, url: URL): boolean {
  const [host, other] = [bare(closed.hostname), bare(url.hostname)];
  if (isThisDevice(host)) return isThisDevice(other) && portOf(closed) === portOf(url);
  return other === host || (below && other.endsWith(`.${host}`));
}

function isThisDevice(host: string): boolean {
  return loopbacks.includes(host) || host.endsWith(".localhost") || host.startsWith("127.") || host === "0.0.0.0" || host === "[::]";
}

function bare(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

function portOf({ port, protocol }: URL): string {
  return port === "" ? ({ "http:": "80", "https:": "443" }[protocol] ?? "") : port;
}

/** A command's text for use in a sentence: short, without invisible characters. */
function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text).replace(/[^ -~…]/g, "?");
}

function refuse(why: string): Address {
  return { ok: false, why };
}
