import { isHost } from "../../dialog/ids.ts";
import { limits } from "../../protocol/limits.ts";
import { loopbacks, privateHost } from "./private-hosts.ts";

export type Address =
  /** `host`: as the user is asked for it and as a dialog's file names it: lower case, with its port when that is not the usual one. */
  | { readonly ok: true; readonly url: URL; readonly host: string }
  /** `why`: a sentence. */
  | { readonly ok: false; readonly why: string };

/** Where no command goes, whatever a human allowed. */
export interface Reserved {
  readonly url: URL;
  /** What it is, for a sentence: `a provider's host`. */
  readonly what: string;
  /** Hosts below it are closed too. */
  readonly below: boolean;
}

/**
 * Whether commands may go to this address, if the user says so. Judged on the address as the platform reads it, which is the one that
 * the request is made with: no other spelling of a host gets by.
 *
 * - `https:`, and `http:` to this device alone; no user name, no password.
 * - Not the host of a provider, not Vibey's own; on this device the port tells which server is meant, elsewhere every port is closed.
 * - Not an address of a private network, and of this device only `localhost`, `127.0.0.1` and `[::1]`.
 *
 * A public name that leads to a private address can't be told here: a browser shows no addresses.
 */
export function readAddress(text: string, reserved: readonly Reserved[], base?: URL): Address {
  if (text.length > limits.networkAddress) return refuse(`the address is longer than ${limits.networkAddress} characters`);
  if (!URL.canParse(text, base?.href)) return refuse(`${shown(text)} is not an address`);
  const url = new URL(text, base);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refuse(`only https: addresses are allowed, not ${shown(url.protocol)}`);
  }
  if (url.username !== "" || url.password !== "") return refuse("an address can't include a user name or password");
  // The root of all names is written or left out; the host is the same.
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

/** A host as a human names it before anything asked for it. */
export function isHostName(host: string): boolean {
  if (!isHost(host)) return false;
  // Both schemes reach this device, and each leaves its own usual port out.
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

/** Text of a command's in a sentence: short, and nothing in it that is not seen. */
function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text).replace(/[^ -~…]/g, "?");
}

function refuse(why: string): Address {
  return { ok: false, why };
}
