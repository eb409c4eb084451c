// Serves dist/ the way a static host would, with the headers of dist/_headers. Vibey doesn't depend on it: any static host works.
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { pipeline } from "node:stream";
import { gzipSync } from "node:zlib";
import { headersFor, readHeaderRules } from "./headers.mjs";

/** @type {Record<string, string>} */
export const contentTypes = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** @param {string} root @param {string} path @returns {string | null} the file that the request's path names, or null if there is none */
function fileFor(root, path) {
  const relative = normalize(decodeURIComponent(path));
  const file = join(root, relative);
  if (file !== root && !file.startsWith(root + sep)) return null;
  if (relative.split(sep).some((segment) => segment.startsWith(".") || segment === "_headers")) return null;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile()) return file;
  const index = join(file, "index.html");
  return stat?.isDirectory() && statSync(index, { throwIfNoEntry: false })?.isFile() ? index : null;
}

/** Files that a host sends compressed. Other file types are compressed already. */
const compressible = new Set([".css", ".html", ".js", ".json", ".svg", ".txt", ".wasm", ".webmanifest"]);

/**
 * Answers requests for the files.
 * @param {{ root: string, base?: string, compress?: boolean, bare?: boolean }} options
 * `base`: the app's sub-path; `compress`: sends text as gzip, as static hosts do; `bare`: sends none of the headers
 * @returns {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void}
 */
export function createHandler({ root, base = "/", compress = false, bare = false }) {
  /** @type {Map<string, Buffer>} */
  const compressed = new Map();
  /** @param {string} file */
  function inGzip(file) {
    const known = compressed.get(file) ?? gzipSync(readFileSync(file));
    compressed.set(file, known);
    return known;
  }
  const rules = bare ? [] : readHeaderRules(join(root, "_headers"));
  return (request, response) => {
    const path = new URL(request.url ?? "/", "http://host").pathname;
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end("Method not allowed\n");
      return;
    }
    if (!path.startsWith(base)) {
      response.writeHead(404).end("Not found\n");
      return;
    }
    const inner = `/${path.slice(base.length)}`;
    let file = null;
    try {
      file = fileFor(root, inner);
    } catch {
      // The path isn't valid percent encoding.
      response.writeHead(400).end("Bad path\n");
      return;
    }
    if (!file) {
      response.writeHead(404, headersFor(rules, inner)).end("Not found\n");
      return;
    }
    const gzip = compress && compressible.has(extname(file)) && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    response.writeHead(200, {
      "Cache-Control": "no-cache",
      ...headersFor(rules, inner),
      "Content-Type": contentTypes[extname(file)] ?? "application/octet-stream",
      ...(gzip ? { "Content-Encoding": "gzip", Vary: "Accept-Encoding" } : {}),
    });
    if (request.method === "HEAD") response.end();
    else if (gzip) response.end(inGzip(file));
    // `pipeline` closes the file if the client disconnects, and the response if the file can't be read.
    else pipeline(createReadStream(file), response, () => undefined);
  };
}

/**
 * @param {{ root: string, base?: string, port: number, host?: string, compress?: boolean, bare?: boolean }} options
 * @returns {Promise<import("node:http").Server>} resolves when the server listens; rejects if the port isn't available
 */
export function serve({ port, host, ...files }) {
  const server = createServer(createHandler(files));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}
