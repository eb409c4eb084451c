// A newcomer's first seconds: what Vibey is, and the ways to begin.
import type { Page } from "@playwright/test";
import { expect, test } from "./app.ts";
import { expectInEditor } from "./hands.ts";

test.use({ newcomer: true });

const heading = (page: Page) => page.getByRole("heading", { name: /^Write what you want/ });

test("own text becomes doc-main.md of an empty project", async ({ app }) => {
  const { page } = app;
  await app.open();
  await expect(heading(page)).toBeVisible();
  await page.getByLabel("Start with your own text").fill("A page that counts down.");
  await page.getByRole("button", { name: "Start writing" }).click();
  await expectInEditor(page, "A page that counts down.\n");
  await expect(heading(page)).toBeHidden();
  expect(await app.json("GET", "files")).toEqual(["doc-main.md"]);
  expect(app.complaints).toEqual([]);
});
