import type { Page } from "@playwright/test";
import { say as answer } from "../tests/stand-in/claude.ts";
import { appOn, expect } from "./app.ts";
import { test } from "./claude-server.ts";
import { enterKey, messages, openNewDialog, say } from "./hands.ts";
import { everythingKept } from "./hostile.ts";

/** A key for the session: the service worker's memory keeps it across a reload, and it ends with the last tab. */

test.use({ serviceWorkers: "allow" });

/** Waits until the service worker controls this page. */
const installed = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: 30_000 }).toBe(true);
const settings = (page: Page) => page.getByRole("dialog", { name: "Settings" });
const kept = (page: Page) => settings(page).getByRole("region", { name: "Key storage" });
const keyIn = (page: Page) => page.evaluate(async () => ((await (await fetch("provider/claude")).json()) as { key: string }).key);

test("is there after reloads of the only tab, is stored nowhere, and is gone once the tab is closed", async ({ app, start, context }) => {
  const { page } = app;
  const server = await start({ key: "sk-ant-CANARY-session-9dK2mVq" });
  server.play(answer("Before."), answer("After."));
  await app.open();
  await enterKey(page, { key: server.key, address: server.url });
  await openNewDialog(page, { provider: "claude", slug: "session" });
  await say(page, "Go");
  await expect(messages(page)).toContainText("Before.");
  await installed(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await expect(kept(page)).toContainText("A reload keeps the key. Vibey never writes it to disk.");
  await page.keyboard.press("Escape");
  await page.reload();
  await expect.poll(() => keyIn(page)).toBe("session");
  // The second reload may come before the page has fetched the key after the first one.
  await page.reload({ waitUntil: "commit" });
  // Chromium refuses to reload a page while it switches processes.
  await expect(() => page.reload()).toPass();
  await expect.poll(() => keyIn(page)).toBe("session");
  await say(page, "And now?");
  await expect(messages(page)).toContainText("After.");
  expect(await everythingKept(page)).not.toContain("CANARY");
  await page.close();

  const next = appOn(await context.newPage());
  await next.open();
  await installed(next.page);
  expect(await keyIn(next.page)).toBe("none");
  expect(app.complaints).toEqual([]);
});

test("a key that the device saves without a passphrase says who can use it, is there in the next session, and gets a passphrase later", {
  tag: "@long",
}, async ({ app, start, context }) => {
  const { page } = app;
  const server = await start({ key: "sk-ant-CANARY-device-4tQz8Lw" });
  server.play(answer("From the saved key."));
  await app.open();
  await enterKey(page, { key: server.key, address: server.url });
  await page.getByRole("button", { name: "Settings" }).click();
  await kept(page).getByRole("button", { name: "Save key on this device" }).click();
  await expect(kept(page)).toContainText("Anyone who can use this profile, or copies its files, can use the key.");
  await kept(page).getByRole("button", { name: "Save key", exact: true }).click();
  await expect(kept(page)).toContainText("Saved on this device without a passphrase.");
  await expect(kept(page).getByRole("button", { name: "Lock now" })).toHaveCount(0);
  // No script of the page can read the key.
  expect(await everythingKept(page)).not.toContain("CANARY");
  await page.close();

  const next = appOn(await context.newPage());
  await next.open();
  expect(await keyIn(next.page)).toBe("unlocked");
  await openNewDialog(next.page, { provider: "claude", slug: "saved" });
  await say(next.page, "Go");
  await expect(messages(next.page)).toContainText("From the saved key.");
  await next.page.getByRole("button", { name: "Settings" }).click();
  await kept(next.page).getByRole("button", { name: "Add a passphrase or passkey" }).click();
  const form = settings(next.page).getByRole("form", { name: "Add a passphrase or passkey" });
  await form.getByLabel("New passphrase").fill("river lamp copper 11");
  await form.getByLabel("Repeat passphrase").fill("river lamp copper 11");
  await form.getByRole("button", { name: "Add", exact: true }).click();
  await expect(kept(next.page)).toContainText("Saved on this device and unlocked");
  await next.page.close();

  const last = appOn(await context.newPage());
  await last.open();
  expect(await keyIn(last.page)).toBe("locked");
  await last.page.getByRole("button", { name: "Settings" }).click();
  await kept(last.page).getByRole("button", { name: "Forget" }).click();
  await kept(last.page).getByRole("button", { name: "Forget key" }).click();
  await expect(kept(last.page)).toBeHidden();
  await last.page.reload();
  expect(await keyIn(last.page)).toBe("none");
});

test("is there after the load that isolates the page for a WebContainer", { tag: "@long" }, async ({ app, start }) => {
  const { page } = app;
  const server = await start();
  await app.open();
  await enterKey(page, { key: server.key, address: server.url });
  await installed(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await settings(page).getByRole("radio", { name: "WebContainer" }).check();
  await settings(page).getByRole("button", { name: "Use WebContainer and reload" }).click();
  await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => false), { timeout: 30_000 }).toBe(true);
  await expect.poll(() => keyIn(page)).toBe("session");
});
