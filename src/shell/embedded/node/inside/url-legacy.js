// url.parse, url.format and url.resolve, which are older than URL.
import { invalidArgType } from "./errors.js";
import querystring from "./querystring.js";

export class Url {
  constructor() {
    Object.assign(this, {
      protocol: null,
      slashes: null,
      auth: null,
      host: null,
      port: null,
      hostname: null,
      hash: null,
      search: null,
      query: null,
      pathname: null,
      path: null,
      href: null,
    });
  }
  parse(text, query, slashes) {
    return Object.assign(this, legacyParse(text, query, slashes));
  }
  format() {
    return legacyFormat(this);
  }
}

const withSlashes = new Set(["http:", "https:", "ftp:", "gopher:", "file:", "ws:", "wss:"]);

export function legacyParse(text, withQuery = false, slashesDenoteHost = false) {
  if (text instanceof Url) return text;
  if (typeof text !== "string") throw invalidArgType("url", "of type string", text);
  const url = new Url();
  let rest = text.trim();
  // Before the query, backslashes are slashes, as in browsers.
  rest = rest.replace(/^[^?#]*/, (path) => path.replaceAll("\\", "/"));
  const protocol = /^([a-z0-9.+-]+:)/i.exec(rest);
  if (protocol) {
    url.protocol = protocol[0].toLowerCase();
    rest = rest.slice(protocol[0].length);
  }
  const slashes = rest.startsWith("//") && (protocol !== null || slashesDenoteHost || /^\/\/[^@/]+@[^@/]+/.test(rest));
  const isScript = url.protocol === "javascript:";
  if (slashes && !isScript) {
    url.slashes = true;
    rest = rest.slice(2);
  }
  // `mailto:a@b.c` and `localhost:3000` have a host, too.
  if (!isScript && (slashes || (protocol !== null && !withSlashes.has(url.protocol)))) {
    const end = rest.search(/[/?#]/);
    let authority = end < 0 ? rest : rest.slice(0, end);
    rest = end < 0 ? "" : rest.slice(end);
    const at = authority.lastIndexOf("@");
    if (at >= 0) {
      url.auth = decodeURIComponent(authority.slice(0, at));
      authority = authority.slice(at + 1);
    }
    const stop = authority.search(/[\s"%';<>\\^`{|}]/);
    if (stop >= 0) {
      rest = authority.slice(stop) + rest;
      authority = authority.slice(0, stop);
    }
    const port = /:(\d*)$/.exec(authority);
    if (port) {
      if (port[1] !== "") url.port = port[1];
      authority = authority.slice(0, -port[0].length);
    }
    // What can't be in a host's name begins the path.
    const wrong = /^\[.*\]$/.test(authority) ? -1 : authority.search(/[^\w.+\-\x80-\uffff]/);
    if (wrong >= 0) {
      rest = `/${authority.slice(wrong)}${rest}`;
      authority = authority.slice(0, wrong);
    }
    url.hostname = authority.toLowerCase().replace(/^\[|\]$/g, "");
    url.host = authority.toLowerCase() + (url.port === null ? "" : `:${url.port}`);
  }
  if (!isScript) rest = rest.replace(/[\s"<>`{}|\\^']/g, (character) => encodeURIComponent(character).replace("'", "%27"));
  const hash = rest.indexOf("#");
  if (hash >= 0) {
    url.hash = rest.slice(hash);
    rest = rest.slice(0, hash);
  }
  const mark = rest.indexOf("?");
  if (mark >= 0) {
    url.search = rest.slice(mark);
    url.query = withQuery ? querystring.parse(rest.slice(mark + 1)) : rest.slice(mark + 1);
    rest = rest.slice(0, mark);
  } else if (withQuery) {
    url.search = null;
    url.query = Object.create(null);
  }
  if (rest !== "") url.pathname = rest;
  if (withSlashes.has(url.protocol) && url.hostname && url.pathname === null) url.pathname = "/";
  if (url.pathname !== null || url.search !== null) url.path = (url.pathname ?? "") + (url.search ?? "");
  url.href = legacyFormat(url);
  return url;
}

export function legacyFormat(given) {
  const url = typeof given === "string" ? legacyParse(given) : given;
  if (typeof url !== "object" || url === null) throw invalidArgType("urlObject", "one of type object or string", given);
  let protocol = url.protocol ?? "";
  if (protocol !== "" && !protocol.endsWith(":")) protocol += ":";
  const auth = url.auth ? `${encodeURIComponent(url.auth).replace("%3A", ":")}@` : "";
  let host = "";
  if (url.host) host = auth + url.host;
  else if (url.hostname) host = auth + (url.hostname.includes(":") ? `[${url.hostname}]` : url.hostname) + (url.port ? `:${url.port}` : "");
  const query = url.query !== null && typeof url.query === "object" ? querystring.stringify(url.query) : "";
  let search = url.search ?? (query ? `?${query}` : "");
  let hash = url.hash ?? "";
  let pathname = (url.pathname ?? "").replace(/[?#]/g, encodeURIComponent);
  if (url.slashes || ((protocol === "" || withSlashes.has(protocol)) && host !== "")) {
    host = url.slashes || host ? `//${host}` : "";
    if (pathname !== "" && !pathname.startsWith("/")) pathname = `/${pathname}`;
  }
  if (hash !== "" && !hash.startsWith("#")) hash = `#${hash}`;
  if (search !== "" && !search.startsWith("?")) search = `?${search}`;
  return `${protocol}${host}${pathname}${search.replaceAll("#", "%23")}${hash}`;
}

export function legacyResolve(from, to) {
  const { URL } = globalThis;
  const resolved = new URL(to, new URL(from, "resolve://"));
  if (resolved.protocol === "resolve:") {
    const { pathname } = resolved;
    return `${from.startsWith("/") || to.startsWith("/") ? pathname : pathname.slice(1)}${resolved.search}${resolved.hash}`;
  }
  return resolved.toString();
}
