import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./app.ts";
import { expectInEditor } from "./hands.ts";

/** Nothing of Vibey stays in the browser when the human says so, and nothing goes before. */

test.use({ serviceWorkers: "allow" });

test("everything is removed, once no other tab is open, and the next visit is a first one", async ({ app }) => {
  const { page } = app;
  await app.open();
  await app.json("POST", "file/doc-mine.md", { content: "Mine alone.\n" });
  const other = await page.context().newPage();
  await other.goto("./");
  await expect(other.getByRole("link", { name: "mine" })).toBeVisible();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));

  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByText("Remove everything from this browser…").click();
  const remove = settings.getByRole("button", { name: "Remove everything for good" });
  await expect(remove).toBeDisabled();
  await settings.getByRole("checkbox", { name: "I want nothing of Vibey to stay here." }).check();
  await remove.click();
  await expect(page.getByText("Vibey is open in another tab. Close it, and this goes on.")).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await other.close();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nothing of Vibey is left in this browser");

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

  await page.getByRole("button", { name: "Begin anew" }).click();
  await expectInEditor(page, /A quiet tic-tac-toe/);
  await expect(page.getByRole("link", { name: "mine" })).toHaveCount(0);
});
