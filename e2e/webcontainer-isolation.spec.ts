import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { unzipSync } from "fflate";
import { readHeaderRules } from "../scripts/headers.mjs";
import { say as reply } from "../tests/stand-in/claude.ts";
import { appOn } from "./app.ts";
import { newDialog, test as base } from "./steps.ts";
import { startHost, type StaticHost } from "./static-host.ts";

/** The isolation that a WebContainer needs: added by the service worker, also on hosts without headers, and only after the person turned it on. */

const built = process.env.VIBEY_DIST ?? "dist";

const test = base.extend<{ withHeaders: boolean; host: StaticHost; elsewhere: string }>({
  withHeaders: [false, { option: true }],
  async host({ withHeaders }, use) {
    const host = await startHost({ root: built, headers: withHeaders });
    await use(host);
    await host.stop();
  },
  baseURL: ({ host }, use) => use(host.url),
  /** A host that commands may connect to. */
  // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
  async elsewhere({}, use) {
    const server: Server = createServer((_request, response) => {
      response.writeHead(200, { "access-control-allow-origin": "*" }).end("from elsewhere");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await use(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.close();
  },
});
test.use({ serviceWorkers: "allow" });

/** Null while the page loads. */
const isIsolated = (page: Page) => page.evaluate(() => crossOriginIsolated).catch(() => null);

/** The caches that store that isolation is on. Null while the page loads. */
const flags = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.includes("isolation"))).catch(() => null);

/** The headers of a page, a worker and the frames that concern isolation and framing. */
const headers = (page: Page) =>
  page.evaluate(async () => {
    const worker = performance.getEntriesByType("resource").find(({ name }) => name.includes("/engine/worker-"))?.name ?? "";
    const found: Record<string, readonly (string | null | undefined)[]> = {};
    for (const [name, path] of [
      ["page", "index.html"],
      ["worker", worker],
      ["net", "net/index.html"],
      ["preview", "preview/index.html"],
      ["style", "icon.svg"],
    ] as const) {
      const { headers: own } = await fetch(path);
      const policy = own.get("Content-Security-Policy");
      found[name] = [
        own.get("Cross-Origin-Opener-Policy"),
        own.get("Cross-Origin-Embedder-Policy"),
        own.get("Cross-Origin-Resource-Policy"),
        /frame-src [^;]*/.exec(policy ?? "")?.[0],
      ];
    }
    return found;
  });

/** A form like the one that the system posts when something is shared. */
const shareForm = (action: string) =>
  `<!doctype html><form method="post" enctype="multipart/form-data" action="${action}"><input name="text" value="Pour it slowly."><input type="file" name="files"><button>Send</button></form>`;

const none = {
  page: [null, null, null, "frame-src 'self'"],
  ...Object.fromEntries(["worker", "net", "preview", "style"].map((name) => [name, [null, null, null, undefined]])),
};

async function settings(page: Page) {
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("button", { name: "Sandbox" }).press("Enter");
  return dialog;
}

async function turnOn(page: Page): Promise<void> {
  const dialog = await settings(page);
  await dialog.getByRole("radio", { name: "WebContainer" }).check();
  await dialog.getByRole("button", { name: "Use WebContainer and reload" }).press("Enter");
  await expect.poll(() => isIsolated(page), { timeout: 30_000 }).toBe(true);
  await expect(page.getByRole("tablist").first()).toBeVisible();
}

test("turned on, all pages are isolated and everything works in them; turned off, nothing of it is left", { tag: "@long" }, async ({
  app,
  claude,
  elsewhere,
  context,
  host,
}) => {
  const { page } = app;
  await app.open();
  await page.evaluate(async () =>
    fetch("deed/index.html", { method: "PUT", body: "<p>built</p><script>document.body.append(' by ' + origin)</script>" }),
  );
  const other = await context.newPage();
  await other.goto("./");
  await expect(other.getByRole("tablist").first()).toBeVisible();
  expect(await isIsolated(page)).toBe(false);

  await turnOn(page);
  await expect.poll(() => isIsolated(other)).toBe(true);
  await expect(other.getByRole("tablist").first()).toBeVisible();
  const sources = "frame-src 'self' https://stackblitz.com https://*.webcontainer-api.io";
  expect(await headers(page)).toEqual({
    page: ["same-origin", "credentialless", null, sources],
    worker: [null, "credentialless", null, undefined],
    net: [null, "credentialless", null, undefined],
    preview: [null, "credentialless", "cross-origin", undefined],
    style: [null, null, null, undefined],
  });
  expect(await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content")).toContain(`${sources};`);

  // The preview, a provider, and a command's request in its own frame.
  await page.getByRole("button", { name: "Preview", exact: true }).press("Enter");
  await expect(page.frameLocator("iframe[title='What your agents built']").frameLocator("iframe").getByText("built by null")).toBeVisible();
  await app.json("PUT", "sandbox", { sandbox: "embedded" });
  await app.json("PUT", "provider/claude", { apiKey: claude.key, baseURL: claude.url });
  const id = await newDialog(app, "isolated");
  await app.json("PUT", "dialog", { dialogId: id, network: [{ host: elsewhere, allow: true }] });
  const command = `curl -sS http://${elsewhere}/ && node -e 'console.log(6 * 7)'`;
  claude.play({ blocks: [{ call: "run_command", id: "toolu_1", input: { command } }] }, reply("**Done.**"));
  await app.ask("PUT", "dialog", { dialogId: id, prompt: "Go", authorizations: ["run_command"] });
  const { markdown } = await app.json<{ markdown: string }>("GET", `dialog/${id}`);
  expect(markdown).toContain("from elsewhere42");
  await expect(page.locator("strong", { hasText: "Done." })).toBeVisible();

  // Exports the project as a zip, and receives content shared by another app.
  await page.getByRole("button", { name: "Project" }).press("Enter");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export everything", exact: true }).press("Enter"),
  ]);
  expect(Object.keys(unzipSync(readFileSync(await download.path())))).toContain("index.html");
  await context.route("https://share.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: shareForm(`${host.url}share`) }),
  );
  const sharing = await context.newPage();
  await sharing.goto("https://share.example/");
  const dot = { name: "dot.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0xff]) };
  await sharing.locator("input[type=file]").setInputFiles(dot);
  await sharing.getByRole("button", { name: "Send" }).press("Enter");
  await expect(sharing.getByRole("dialog", { name: "Shared with Vibey" }).getByRole("listitem")).toHaveCount(2);
  expect(await isIsolated(sharing)).toBe(true);
  await sharing.close();
  expect(app.complaints).toEqual([]);

  const box = await settings(page);
  await box.getByRole("button", { name: "Turn off isolation and reload" }).press("Enter");
  await expect.poll(() => isIsolated(page)).toBe(false);
  await expect.poll(() => isIsolated(other)).toBe(false);
  await expect(page.getByRole("tablist").first()).toBeVisible();
  expect(await headers(page)).toEqual(none);
  expect(await flags(page)).toEqual([]);
});

test.describe("on a host with the shipped headers", () => {
  test.use({ withHeaders: true });

  test("it is turned on by the same button, and goes with everything else that is removed", { tag: "@long" }, async ({ app }) => {
    const { page } = app;
    await app.open();
    await turnOn(page);
    expect((await headers(page))["page"]?.slice(0, 2)).toEqual(["same-origin", "credentialless"]);
    const box = await settings(page);
    await box.getByRole("button", { name: "Storage" }).press("Enter");
    await box.getByText("Delete all data…").click();
    await box.getByRole("checkbox", { name: "I understand that nothing will be kept in this browser." }).check();
    await box.getByRole("button", { name: "Delete everything permanently" }).press("Enter");
    await expect(page.getByRole("heading", { name: "All Vibey data was deleted" })).toBeVisible();
    await expect.poll(() => flags(page)).toEqual([]);
  });
});

test("where there is no service worker to be had it is said, and nothing was changed", { tag: "@long" }, async ({ browser, host }) => {
  const context = await browser.newContext({ baseURL: host.url, serviceWorkers: "block" });
  const app = appOn(await context.newPage());
  await app.open();
  const dialog = await settings(app.page);
  await dialog.getByRole("radio", { name: "WebContainer" }).check();
  await dialog.getByRole("button", { name: "Use WebContainer and reload" }).press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("Couldn't isolate Vibey in this browser");
  expect((await app.json<{ chosen: string }>("GET", "sandbox")).chosen).toBe("embedded");
  expect(await flags(app.page)).toEqual([]);
  await context.close();
});

test("what is shipped holds none of it", () => {
  const names = readHeaderRules("public/_headers").flatMap((rule) => Object.keys(rule.headers));
  expect(names.filter((name) => name.startsWith("Cross-Origin"))).toEqual([]);
});
