import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { type App, expect, test } from "./app.ts";
import { expectInEditor, writeInEditor } from "./hands.ts";

/** Deleting all data: nothing of Vibey stays in the browser after the user confirms, and nothing is removed before. */

test.use({ serviceWorkers: "allow" });

/** Two tabs of one project; in one of them the user asks to delete everything. */
async function asked(app: App): Promise<{ other: Page }> {
  const { page } = app;
  await app.open();
  await app.json("POST", "file/doc-mine.md", { content: "Mine alone.\n" });
  const other = await page.context().newPage();
  await other.goto("./");
  await expect(other.getByRole("link", { name: "mine" })).toBeVisible();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await writeInEditor(page, "Not saved.\n");

  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByText("Delete all data…").click();
  const remove = settings.getByRole("button", { name: "Delete everything permanently" });
  await expect(remove).toBeDisabled();
  await settings.getByRole("checkbox", { name: "I understand that nothing will be kept in this browser." }).check();
  // Playwright would dismiss a browser dialog, and nothing would be removed.
  await remove.click();
  await expect(page.getByText(/^Vibey is open in another tab\. Close that tab/)).toBeVisible();
  return { other };
}

test("who wants to keep everything after all keeps it, and is asked in the other tab too", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  const { other } = await asked(app);
  const notice = other.getByText("You asked to delete all Vibey data in another tab.");
  await expect(notice).toBeVisible();
  await other.getByRole("button", { name: "Cancel and keep everything" }).click();
  await expect(page.getByRole("link", { name: "mine" })).toBeVisible();
  await expectInEditor(page, "Not saved.\n");
});

test("everything is removed, once no other tab is open, and the next visit is a first one", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  const { other } = await asked(app);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await other.close();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("All Vibey data was deleted");

  const left = await page.evaluate(async () => {
    const files: string[] = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
    return {
      databases: (await indexedDB.databases()).map(({ name }) => name),
      files,
      caches: await caches.keys(),
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      kept: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
    };
  });
  expect(left).toEqual({ databases: [], files: [], caches: [], workers: 0, kept: [] });

  await page.getByRole("button", { name: "Start over" }).click();
  await expect(page.getByRole("heading", { name: /^Write what you want/ })).toBeVisible();
  expect(await app.json("GET", "files")).toEqual([]);
});
