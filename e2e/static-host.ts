import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { headersFor, readHeaderRules } from "../scripts/headers.mjs";
import { contentTypes } from "../scripts/serve.mjs";
import { integrityOf } from "../scripts/vite/service-worker.ts";

/** A test's own static host: it can be switched off, send no headers, send wrong content, and serve a newer build. */
export interface StaticHost {
  /** The address with the sub-path and a slash at its end. */
  readonly url: string;
  /** Every path requested under the sub-path. */
  readonly asked: string[];
  /** Serves another build from now on. */
  deploy(folder: string): void;
  /** Refuses connections until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const base = "/vibey/";

export interface HostOptions {
  readonly root: string;
  /** Sends the headers of `_headers`; true by default. */
  readonly headers?: boolean;
  /** The text to send instead of a file's text. */
  readonly tamper?: (path: string, text: string) => string;
  /** A file is sent after this promise resolves. */
  readonly hold?: (path: string) => Promise<void> | null;
}

/** A build as it was deployed: its file names and its headers. */
const buildIn = (folder: string) => ({
  folder,
  files: new Set(readdirSync(folder, { recursive: true }).map(String)),
  rules: readHeaderRules(join(folder, "_headers")),
});

export async function startHost({ root, headers = true, tamper, hold }: HostOptions): Promise<StaticHost> {
  let served = buildIn(resolve(root));
  let port = 0;
  let server: Server | null = null;
  const asked: string[] = [];

  const listen = () =>
    new Promise<void>((done, reject) => {
      const opened = createServer((request, response) => {
        const { pathname } = new URL(request.url ?? "/", "http://host");
        const path = pathname.startsWith(base) ? pathname.slice(base.length) || "index.html" : "";
        asked.push(path);
        const { folder, files, rules } = served;
        if (!files.has(path) || extname(path) === "") return void response.writeHead(404).end("Not found\n");
        const sent = headers ? headersFor(rules, `/${path}`) : {};
        response.writeHead(200, { "Cache-Control": "no-cache", ...sent, "Content-Type": contentTypes[extname(path)] ?? "text/plain" });
        const body = readFileSync(join(folder, path));
        const send = () => response.end(tamper && /\.(html|js)$/.test(path) ? tamper(path, body.toString()) : body);
        const held = hold?.(path) ?? null;
        if (held === null) send();
        else void held.then(send);
      });
      server = opened;
      opened.once("error", reject);
      opened.listen(port, "localhost", () => {
        port = (opened.address() as AddressInfo).port;
        done();
      });
    });

  await listen();
  return {
    url: `http://localhost:${port}${base}`,
    asked,
    deploy(next) {
      served = buildIn(resolve(next));
    },
    stop: () =>
      new Promise((done) => {
        if (server === null) return done();
        server.close(() => done());
        server.closeAllConnections();
        server = null;
      }),
    start: listen,
  };
}

interface Copy {
  readonly folder: string;
  remove(): void;
}

/** A copy of the build with other names or texts, consistent like a real build: its service worker knows the changed files. */
function changedBuild(root: string, rename: (name: string) => string, edit: (name: string, text: string) => string): Copy {
  const folder = mkdtempSync(join(tmpdir(), "vibey-build-"));
  cpSync(root, folder, { recursive: true });
  const names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => extname(name) !== "" && name !== "sw.js");
  let worker = edit("sw.js", readFileSync(join(folder, "sw.js"), "utf8"));
  for (const name of names) {
    const renamed = join(folder, rename(name));
    const isText = /\.(html|js|css)$/.test(name);
    if (rename(name) !== name) renameSync(join(folder, name), renamed);
    if (isText) writeFileSync(renamed, edit(name, readFileSync(join(root, name), "utf8")));
    worker = worker.replaceAll(integrityOf(join(root, name)), integrityOf(renamed));
  }
  writeFileSync(join(folder, "sw.js"), worker);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/**
 * A copy of the build like a later version: every name with a content hash is different, and so is every revision. The page
 * says which build it is: `<meta name="build" content="2">`.
 */
export function nextBuild(root: string): Copy {
  const names = readdirSync(root, { recursive: true }).map(String);
  const hashes = new Set(names.flatMap((name) => /^(?:assets|engine|sandbox)\/.*-([\w-]{8})\.\w+$/.exec(name)?.[1] ?? []));
  const renamed = (text: string) =>
    text.replaceAll(/-([\w-]{8})(?=\.)/g, (whole, hash: string) => (hashes.has(hash) ? `-${hash.slice(0, 6)}_2` : whole));
  return changedBuild(root, renamed, (name, text) => {
    if (name === "index.html") return renamed(text).replace("<head>", '<head><meta name="build" content="2">');
    return name === "sw.js" ? renamed(text).replaceAll(/(revision:.)[0-9a-f]{4}/g, "$12222") : renamed(text);
  });
}

/** A copy of the build with an engine that doesn't start. */
export function brokenBuild(root: string): Copy {
  return changedBuild(
    root,
    (name) => name,
    (name, text) => (/^engine\/worker-.*\.js$/.test(name) ? "throw new Error('broken')" : text),
  );
}
