import { mergeTests, type Page } from "@playwright/test";
import type { SandboxAnswer } from "../src/engine/api.ts";
import { say as reply } from "../tests/stand-in/claude.ts";
import { expect, newDialog, test as withProviders } from "./steps.ts";
import { test as withContainer } from "./webcontainer/fixture.ts";

/** What a person sees of a WebContainer: the choice, how it is doing, and the pages of its servers. */

const test = mergeTests(withProviders, withContainer);
test.use({ serviceWorkers: "allow" });
test.describe.configure({ timeout: 90_000 });

async function settings(page: Page) {
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("button", { name: "Sandbox" }).press("Enter");
  return dialog;
}

async function choose(page: Page) {
  const dialog = await settings(page);
  await dialog.getByRole("radio", { name: "WebContainer" }).check();
  await dialog.getByRole("button", { name: "Use a WebContainer and load anew" }).press("Enter");
  await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => false), { timeout: 30_000 }).toBe(true);
  await expect(page.getByRole("tablist").first()).toBeVisible();
}

const server = `require("node:http").createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<h1>Served</h1><button onclick='nothing()'>Go</button><script>console.warn({ from: [1] }, location.port === \\"\\")</script>")).listen(5197)`;

test("it is chosen, does what it is asked, and shows the page of its server with its console", async ({ app, claude, context }) => {
  const { page } = app;
  await app.open();
  await choose(page);
  await app.json("PUT", "provider/claude", { apiKey: claude.key, baseURL: claude.url });
  let dialog = await settings(page);
  await expect(dialog.getByText("It starts with the next command.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).press("Enter");

  await page.evaluate(async (body) => fetch("deed/server.cjs", { method: "PUT", body }), server);
  const id = await newDialog(app, "serve");
  const run = { call: "run_command", id: "toolu_1", input: { command: "node server.cjs", background: true } };
  claude.play({ blocks: [run] }, reply("It runs."));
  await app.json("PUT", "sandbox", { sandbox: "webcontainer" });
  await app.ask("PUT", "dialog", { dialogId: id, prompt: "Serve it.", authorizations: ["run_command"] });
  const notice = page.locator(".notice", { hasText: "A server listens on port 5197." });
  await notice.getByRole("button", { name: "Open" }).press("Enter");
  await expect(notice).toHaveCount(0);
  const served = page.frameLocator("iframe[title='Page of the server on port 5197']");
  await expect(served.getByRole("heading", { name: "Served" })).toBeVisible();
  const lines = page.getByRole("region", { name: "Console of the preview" });
  await expect(lines).toContainText("{from: [1]} true");
  await served.getByRole("button", { name: "Go" }).press("Enter");
  await expect(lines).toContainText("nothing is not defined");
  await page.getByRole("button", { name: "Reload", exact: true }).press("Enter");
  await expect(lines).not.toContainText("nothing is not defined");
  await expect(lines).toContainText("{from: [1]} true");

  dialog = await settings(page);
  await expect(dialog.getByText("It is running.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).press("Enter");

  // Another tab sees it too, and says where it lives.
  const other = await context.newPage();
  await other.goto("./");
  const also = other.locator(".notice", { hasText: "A server listens on port 5197." });
  await also.getByRole("button", { name: "Open" }).press("Enter");
  await expect(other.getByText("It runs in another tab of Vibey, the one that was opened first.")).toBeVisible();
  await expect((await settings(other)).getByText("It lives in another tab of Vibey")).toBeVisible();
  await other.close();

  await page.getByRole("button", { name: "Stop the server on port 5197" }).press("Enter");
  await expect.poll(async () => (await app.json<SandboxAnswer>("GET", "sandbox")).servers).toEqual([]);
  await expect(page.locator(".preview")).toHaveCount(0);
  // The page's own, and nobody else's.
  expect(app.complaints.filter((line) => !/from: |nothing is not defined/.test(line))).toEqual([]);
});

test("why it can't be had is said, and it is tried again", async ({ app, container }) => {
  const { page } = app;
  container.weather = { fails: "no room left" };
  await app.open();
  await choose(page);
  expect((await app.ask("POST", "sandbox/start")).status).toBe(200);
  const dialog = await settings(page);
  await expect(dialog.getByText("It can't be used now. Commands run in Vibey's own shell instead.")).toBeVisible();
  await expect(dialog.getByText("no room left")).toBeVisible();
  container.weather = "fair";
  await dialog.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(dialog.getByText("It is running.")).toBeVisible({ timeout: 30_000 });
  // Without the isolation it can't be had either, and the way back is beside it.
  await dialog.getByRole("button", { name: "End the isolation and load anew" }).press("Enter");
  await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => true)).toBe(false);
  await expect((await settings(page)).getByRole("button", { name: "Load anew", exact: true })).toBeVisible();
});
