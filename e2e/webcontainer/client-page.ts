import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SpawnOptions, WebContainer } from "@webcontainer/api";
import { expect, type Page } from "@playwright/test";

/** A page that contains only the published client, file by file. */

declare global {
  interface Window {
    client: typeof import("@webcontainer/api");
    container: WebContainer;
    /** Runs a program until it ends. */
    run(command: string, args?: string[], options?: SpawnOptions): Promise<{ code: number; text: string }>;
    /** How a promise ended. If `late` resolves first, returns its string. */
    outcome(promise: Promise<unknown>, late?: Promise<string>): Promise<string>;
  }
}

const clientFolder = dirname(fileURLToPath(import.meta.resolve("@webcontainer/api")));

const script = `
import * as client from "./client/index.js";
window.run = async (command, args = [], options) => {
  const process = await window.container.spawn(command, args, options);
  let text = "";
  await process.output.pipeTo(new WritableStream({ write: (piece) => void (text += piece) }));
  return { code: await process.exit, text };
};
window.outcome = (promise, late) =>
  Promise.race([promise.then((value) => "answered " + JSON.stringify(value), (error) => error.message), ...(late ? [late] : [])]);
window.client = client;
`;

const html = `<!doctype html><meta charset="utf-8"><title>Client</title><body><script type="module">${script}</script>`;

export interface ClientPage {
  /** The page's address, with this policy for embedded content. Without a policy the page isn't isolated. */
  url(coep: "credentialless" | "require-corp" | null): string;
  close(): void;
}

export async function serveClientPage(): Promise<ClientPage> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const [, coep = "", ...rest] = pathname.split("/");
    const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": coep };
    const headers = coep === "plain" ? {} : isolation;
    const path = rest.join("/");
    if (path === "") return void response.writeHead(200, { ...headers, "Content-Type": "text/html" }).end(html);
    if (!path.startsWith("client/") || path.includes("..")) return void response.writeHead(404).end();
    response
      .writeHead(200, { ...headers, "Content-Type": "text/javascript" })
      .end(readFileSync(join(clientFolder, path.slice("client/".length))));
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: (coep) => `http://localhost:${port}/${coep ?? "plain"}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Opens the page, ready to boot. */
export async function openClient(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect.poll(() => page.evaluate(() => typeof window.client)).toBe("object");
}

/** Opens the page and boots its container with the page's policy. */
export async function bootClient(page: Page, site: ClientPage, coep: "credentialless" | "require-corp" = "credentialless"): Promise<void> {
  await openClient(page, site.url(coep));
  await page.evaluate(async (policy) => {
    const options = { coep: policy, workdirName: "project", forwardPreviewErrors: true };
    window.container = await window.client.WebContainer.boot(options);
  }, coep);
}
