import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { chromiumArguments, ensureChromium } from "../scripts/browser.mjs";
import { streamText } from "../tests/stand-in/claude-stream.ts";
import { appOn, expect, test } from "./app.ts";
import { approve, enterKey, messages, openNewDialog, say } from "./hands.ts";

/** What remains on disk in a browser profile. */

const key = "sk-ant-CANARY-on-disk-4hT9wQz7Lm2";
const network = "CANARY-from-the-network-81bXv3";

/** Answers with the request it got, including headers, and asks every cache to keep the answer for a year. */
async function startEcho(page = ""): Promise<{ server: Server; url: string; asked: string[] }> {
  const asked: string[] = [];
  let turns = 0;
  const server = createServer((request, response) => {
    const path = `${request.method} ${(request.url ?? "").split("?")[0] ?? ""}`;
    const open = { "access-control-allow-origin": "*", "access-control-allow-methods": "*", "access-control-expose-headers": "*" };
    if (request.method === "OPTIONS") {
      const headers = request.headers["access-control-request-headers"] ?? "";
      response.writeHead(204, { ...open, "access-control-allow-headers": headers, "access-control-max-age": "0" }).end();
      return;
    }
    if (path !== "GET /favicon.ico") asked.push(path);
    const heads = { ...open, "cache-control": "public, max-age=31536000, immutable", "x-echo": request.headers["x-api-key"] ?? "" };
    const echo = JSON.stringify(request.headers);
    request.resume();
    if (request.url?.startsWith("/v1/models")) {
      const data = [{ type: "model", id: "claude-sonnet-5", display_name: echo, created_at: "2026-01-01T00:00:00Z" }];
      response.writeHead(200, { ...heads, "content-type": "application/json" });
      response.end(JSON.stringify({ data, has_more: false, first_id: "claude-sonnet-5", last_id: "claude-sonnet-5", echo }));
    } else if (request.url?.startsWith("/v1/messages")) {
      turns += 1;
      if (turns === 1) {
        response.writeHead(400, { ...heads, "content-type": "application/json" });
        response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: echo } }));
        return;
      }
      const curl = { command: `curl -s -o /dev/null ${page}` };
      const blocks = turns === 2 ? [{ call: "run_command", id: "toolu_1", input: curl }] : [{ text: "Done." }];
      response.writeHead(200, { ...heads, "content-type": "text/event-stream" });
      response.end(`: ${echo}\n\n${streamText({ blocks }, undefined)}`);
    } else {
      response.writeHead(200, { ...heads, "content-type": "text/plain" }).end(`${network} of ${request.url}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, url, asked };
}

/** Files in a folder that contain any of the texts, with one or two bytes per character. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  const needles = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, "utf16le")]);
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    const bytes = readFileSync(path);
    return needles.some((needle) => bytes.includes(needle));
  });
}

test("a key that the server echoes, to be kept for a year, is in no file of the profile", { tag: "@long" }, async ({ baseURL }) => {
  const profile = mkdtempSync(join(tmpdir(), "vibey-profile-"));
  const far = await startEcho();
  const { server, url, asked } = await startEcho(`${far.url}/page`);
  const options = { executablePath: ensureChromium(), args: chromiumArguments, ...(baseURL === undefined ? {} : { baseURL }) };
  const context = await chromium.launchPersistentContext(profile, options);
  try {
    const app = appOn(context.pages()[0] ?? (await context.newPage()));
    const { page } = app;
    await app.open();
    await enterKey(page, { key, address: url });
    for (let times = 0; times < 2; times++) await app.ask("GET", "provider/claude/models");
    await openNewDialog(page, { provider: "claude", slug: "echo" });
    await say(page, "Go");
    await page.getByRole("button", { name: /^(Continue|Try again)$/ }).click();
    await approve(page);
    await page.getByRole("button", { name: "Allow GET only" }).click();
    await expect(messages(page)).toContainText("Done.");
    // Proves that the search finds cached data: the same server, requested without those precautions.
    const kept = await context.newPage();
    await kept.goto(`${far.url}/control`);
  } finally {
    await context.close();
    for (const each of [server, far.server]) {
      each.closeAllConnections();
      each.close();
    }
  }
  expect(filesWith(profile, [key])).toEqual([]);
  expect(asked.filter((path) => path === "GET /v1/models").length).toBeGreaterThan(1);
  expect(asked.filter((path) => path === "POST /v1/messages").length).toBeGreaterThan(2);
  expect(far.asked).toEqual(["GET /page", "GET /control"]);
  expect(filesWith(profile, [`${network} of /page`])).toEqual([]);
  expect(filesWith(profile, [`${network} of /control`])).not.toEqual([]);
  rmSync(profile, { recursive: true, force: true });
});
