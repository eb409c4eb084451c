import { fromBytes, toBytes } from "../../encoding.ts";
import type { Context } from "../answer.ts";
import { readInput } from "../files.ts";
import { type Payload, payloadOf } from "./body.ts";
import { type CurlOptions, isWrong, type Wrong } from "./options.ts";

/** The request that is sent to every URL of a command line. */
export interface CurlRequest {
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly payload: Payload;
  /** Warnings, as curl prints them. */
  readonly warnings: readonly string[];
}

/** Headers that a browser sets itself; the network layer removes them. A request fails there if it has headers that a browser would silently drop. */
const browserSets = new Set(
  "accept-charset accept-encoding connection content-length date dnt expect keep-alive te trailer transfer-encoding upgrade user-agent via".split(
    " ",
  ),
);

export function isSetByBrowser(name: string): boolean {
  return browserSets.has(name.toLowerCase());
}

export async function requestOf(options: CurlOptions, context: Context, id: () => string): Promise<CurlRequest | Wrong> {
  const found = await payloadOf(options, context, id);
  if (isWrong(found)) return found;
  let payload = found;
  const upload = options.value("upload-file");
  if (upload !== null) {
    if (payload.body !== null) return { exitCode: 2, message: "You can only select one HTTP request method!" };
    const read = await readInput(context, upload === "." ? "-" : upload);
    if (!read.ok)
      return { exitCode: 26, message: `Can't open '${upload}'!\ncurl: try 'curl --help' or 'curl --manual' for more information` };
    payload = { ...payload, body: read.bytes };
  }
  if (options.has("head") && payload.body !== null) return { exitCode: 2, message: "You can only select one HTTP request method!" };
  const warnings: string[] = [];
  const headers = new Map<string, readonly [string, string]>([["accept", ["Accept", payload.accept ?? "*/*"]]]);
  if (payload.type !== null) headers.set("content-type", ["Content-Type", payload.type]);
  const user = options.value("user");
  if (user !== null) headers.set("authorization", basic(user));
  const token = options.value("oauth2-bearer");
  if (token !== null) headers.set("authorization", ["Authorization", `Bearer ${token}`]);
  const range = options.value("range");
  if (range !== null) headers.set("range", ["Range", `bytes=${range}`]);
  if (options.has("user-agent")) warnings.push(notSent("User-Agent"));
  const referer = options.value("referer");
  if (referer !== null) headers.set("referer", ["Referer", referer]);
  if (options.has("insecure")) warnings.push("Warning: -k changes nothing here: the browser checks certificates");
  for (const given of options.values("header")) {
    const lines = await headerLines(given, context);
    if (isWrong(lines)) return lines;
    for (const line of lines) {
      const [, name = "", sign = "", rest = ""] = /^([^:;]*)([:;])?([^]*)$/.exec(line) ?? [];
      const value = rest.trim();
      if (sign === "" || (sign === ";" && value !== "")) continue;
      if (sign === ":" && value === "") headers.delete(name.toLowerCase());
      else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return { exitCode: 43, message: `(43) '${name}' is no name of a header` };
      else if (isSetByBrowser(name)) warnings.push(notSent(name));
      else headers.set(name.toLowerCase(), [name, value]);
    }
  }
  const method = options.value("request") ?? methodOf(options, payload, upload);
  return { method: method.toUpperCase(), headers: [...headers.values()], payload, warnings };
}

function methodOf(options: CurlOptions, payload: Payload, upload: string | null): string {
  if (options.has("head")) return "HEAD";
  if (upload !== null) return "PUT";
  return payload.body === null ? "GET" : "POST";
}

async function headerLines(given: string, context: Context): Promise<readonly string[] | Wrong> {
  if (!given.startsWith("@")) return [given];
  const read = await readInput(context, given.slice(1));
  if (!read.ok) return { exitCode: 26, message: `(26) Failed to open ${given.slice(1)}` };
  return fromBytes(read.bytes, undefined)
    .split(/\r?\n/)
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** The header for `name:password`. */
export function basic(user: string): readonly [string, string] {
  return ["Authorization", `Basic ${fromBytes(toBytes(user.includes(":") ? user : `${user}:`, undefined), "base64")}`];
}

function notSent(name: string): string {
  return `Warning: the header ${name} was not sent: a browser sets it itself`;
}

/** The URL to request, and the credentials that it contained. */
export interface Address {
  readonly url: string;
  readonly user: string | null;
}

export function addressOf(typed: string, usualScheme: string): Address | Wrong {
  const malformed = { exitCode: 3, message: "(3) URL using bad/illegal format or missing URL" };
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(typed)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https")
    return { exitCode: 1, message: `(1) Protocol "${scheme}" not supported or disabled in libcurl` };
  // oxlint-disable-next-line no-control-regex -- curl refuses these bytes.
  if (typed === "" || /[\0- \x7f]/.test(typed)) return malformed;
  const text = scheme === undefined ? `${usualScheme}://${typed}` : typed;
  if (!URL.canParse(text)) return malformed;
  const url = new URL(text);
  const user =
    url.username === "" && url.password === "" ? null : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = "";
  url.password = "";
  url.hash = "";
  return { url: url.href, user };
}

/** The URL with the query of -G, or with the name of a file that is uploaded into a folder. */
export function completed(address: string, query: string, upload: string | null): string {
  const url = new URL(address);
  if (query !== "") url.search = url.search === "" ? query : `${url.search}&${query}`;
  if (upload !== null && upload !== "-" && upload !== "." && url.pathname.endsWith("/"))
    url.pathname += encodeURIComponent(upload.slice(upload.lastIndexOf("/") + 1));
  return url.href;
}
