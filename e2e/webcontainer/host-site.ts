import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Weather } from "./weather.ts";

/** Serves what `https://stackblitz.com` serves: the page `/headless`, which the client frames, and its scripts. */

const own = fileURLToPath(new URL("page", import.meta.url));
const clientFolder = dirname(fileURLToPath(import.meta.resolve("@webcontainer/api")));
const packFolder = fileURLToPath(new URL("../../node_modules/@msgpack/msgpack/dist.esm", import.meta.url));

/** Maps package names to the scripts' modules. Uses the client's own Comlink, because later versions have another protocol. */
const modules = {
  "@webcontainer/api/dist/vendor/index.js": "/client/vendor/index.js",
  "@msgpack/msgpack": "/msgpack/index.mjs",
};

const page = (script: string) =>
  `<!doctype html><meta charset="utf-8"><title>WebContainer</title>
<script type="importmap">${JSON.stringify({ imports: modules })}</script>${script}`;

const folders: Readonly<Record<string, string>> = { page: own, client: clientFolder, msgpack: packFolder };

function fileFor(path: string): string | null {
  const [, folder = "", ...rest] = path.split("/");
  const root = folders[folder];
  if (root === undefined || rest.includes("..") || ![".js", ".mjs"].includes(extname(path))) return null;
  return join(root, ...rest);
}

/** A frame in a cross-origin isolated page has to declare that it may be embedded. */
export const isolationHeaders = (coep: string | null): Record<string, string> => ({
  ...(coep === "none" ? {} : { "Cross-Origin-Embedder-Policy": coep === "credentialless" ? coep : "require-corp" }),
  "Cross-Origin-Resource-Policy": "cross-origin",
});

export function serveHostSite(request: IncomingMessage, response: ServerResponse, weather: Weather, asked: URL[]): void {
  const url = new URL(request.url ?? "/", "https://stackblitz.com");
  const { pathname, searchParams } = url;
  const headers = {
    ...isolationHeaders(searchParams.get("coep")),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    ...(weather === "refuses" ? { "X-Frame-Options": "DENY" } : {}),
  };
  if (pathname === "/headless") {
    asked.push(url);
    const script = weather === "quiet" ? "" : '<script type="module" src="/page/host.js"></script>';
    return void response.writeHead(200, { ...headers, "Content-Type": "text/html; charset=utf-8" }).end(page(script));
  }
  const file = fileFor(pathname);
  if (file === null) return void response.writeHead(404, headers).end();
  response.writeHead(200, { ...headers, "Content-Type": "text/javascript; charset=utf-8" }).end(readFileSync(file));
}
