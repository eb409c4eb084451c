import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, type Frame, type Page } from "@playwright/test";
import { build } from "vite";
import { headersFor, readHeaderRules } from "../scripts/headers.mjs";
import { withScripts } from "../scripts/vite/preview-in-one-file.ts";

/** The preview host with its shipped headers, framed as the app frames it, and a network host that it must not reach. */

const rules = readHeaderRules("public/_headers");

/** The embedding page's script. */
async function embedder(): Promise<string> {
  const entry = fileURLToPath(new URL("./preview-embedder.ts", import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "embedder", fileName: "embedder" } },
  });
  const [bundle] = Array.isArray(built) ? built : [built];
  const code = bundle && "output" in bundle ? bundle.output[0].code : undefined;
  if (code === undefined) throw new Error("the embedder was not built");
  return code;
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(`http://127.0.0.1:${address.port}`);
      else reject(new Error("the server has no port"));
    });
  });
}

export interface PreviewSite {
  /** The addresses of the embedding page, and of a network host that the preview must not reach. */
  readonly app: string;
  readonly elsewhere: string;
  /** Requests that should never have been made. */
  readonly reached: string[];
  close(): void;
}

export async function startPreviewSite(): Promise<PreviewSite> {
  const reached: string[] = [];
  const script = await embedder();
  const site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const type = pathname.endsWith(".js") ? "text/javascript" : "text/html";
    const headers = { ...(searchParams.has("bare") ? {} : headersFor(rules, pathname)), "Content-Type": `${type};charset=utf-8` };
    if (pathname === "/") {
      const attribute = searchParams.has("open") ? "" : ' sandbox="allow-scripts allow-forms allow-modals"';
      const source = `preview/${searchParams.has("one") ? "one" : "index"}.html${searchParams.has("bare") ? "?bare" : ""}`;
      return response
        .writeHead(200, headers)
        .end(`<!doctype html><script src="embed.js"></script><iframe${attribute} src="${source}"></iframe>`);
    }
    if (pathname === "/embed.js") return response.writeHead(200, headers).end(script);
    if (pathname === "/preview/one.html") {
      return response
        .writeHead(200, headers)
        .end(withScripts(readFileSync("public/preview/index.html", "utf8"), (name) => readFileSync(`public/preview/${name}`, "utf8")));
    }
    if (/^\/preview\/(index\.html|host\.js|page\/\w+\.js)$/.test(pathname))
      return response.writeHead(200, headers).end(readFileSync(`public${pathname}`));
    if (pathname !== "/favicon.ico") reached.push(`app${pathname}`);
    return response.writeHead(404, { "Access-Control-Allow-Origin": "*" }).end();
  });
  const outside = createServer((request, response) => {
    reached.push(`elsewhere${request.url}`);
    response.writeHead(200, { "Access-Control-Allow-Origin": "*" }).end("reached");
  });
  const [app, elsewhere] = [await listen(site), await listen(outside)];
  return {
    app,
    elsewhere,
    reached,
    close() {
      for (const server of [site, outside]) server.close();
    },
  };
}

export type Project = Record<string, string | number[]>;

declare global {
  interface Window {
    /** Variables of the pages in the preview. */
    fromInline: string;
    late: boolean;
    previewLocation: Location;
  }
}

export async function embed(page: Page, project: Project, entry?: string): Promise<void> {
  await page.evaluate(([files, first]) => window.embed(files, first), [project, entry] as const);
}

export function heard(page: Page): Promise<Window["heard"]> {
  return page.evaluate(() => window.heard);
}

/** The page's console lines so far, as `level: text`. */
export async function lines(page: Page): Promise<string[]> {
  return (await heard(page)).filter((each) => each.type === "console").map(({ level, text }) => `${level}: ${text}`);
}

export async function readies(page: Page): Promise<number> {
  return (await heard(page)).filter((each) => each.type === "ready").length;
}

/** Opens the embedding page, passes the files and waits until the page has loaded. */
export async function openIn(
  { app }: PreviewSite,
  page: Page,
  project: Project,
  options: { entry?: string; query?: string } = {},
): Promise<void> {
  await page.goto(`${app}/${options.query ?? ""}`);
  await embed(page, project, options.entry);
  await expect.poll(() => readies(page)).toBe(1);
}

/** The frame that the page runs in. */
export function inner(page: Page): Frame {
  const frame = page.frames().at(-1);
  if (!frame || page.frames().length < 3) throw new Error("no page in the preview");
  return frame;
}

export const shown = (page: Page) => inner(page).evaluate(() => document.body.innerText.trim());
export const html = (body: string, head = "") => `<!doctype html><html><head><title>T</title>${head}</head><body>${body}</body></html>`;
