import type { Page } from "@playwright/test";
import { say as answer } from "../tests/stand-in/claude.ts";
import { appOn, expect } from "./app.ts";
import { test } from "./claude-server.ts";
import { enterKey, messages, openNewDialog, say } from "./hands.ts";
import { everythingKept } from "./hostile.ts";

/** A key for the session: it lives through a reload in the service worker's memory, and ends with the last tab. */

test.use({ serviceWorkers: "allow" });

/** The service worker answers this page. */
const installed = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: 30_000 }).toBe(true);
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
  await page.reload();
  await expect.poll(() => keyIn(page)).toBe("session");
  // The second one may come before the page has fetched what the first one brought.
  await page.reload({ waitUntil: "commit" });
  await page.reload();
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
