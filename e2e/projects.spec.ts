import { type App, expect, test } from "./app.ts";

const projectMenu = async (page: import("@playwright/test").Page, label: string) => {
  await page.getByRole("button", { name: "Project", exact: true }).click();
  await page.getByRole("button", { name: label }).click();
};

/** The text of doc-main.md; empty while a page reloads. Before its script runs, only the host would answer. */
const mainOf = ({ page }: App): Promise<string> =>
  page
    .evaluate(async () => {
      if (document.querySelector("[role=tablist]") === null) return "";
      const { content }: { content: string } = await (await fetch("file/doc-main.md")).json();
      return content;
    })
    .catch(() => "");

test("a new project has a page of its own, and the way back to the one before", async ({ app }) => {
  const { page } = app;
  await app.open();
  await projectMenu(page, "New project…");
  const form = page.getByRole("dialog", { name: "New project" });
  await form.getByLabel("Name").fill("  ");
  await form.getByLabel("Name").press("Enter");
  await expect(form.getByRole("alert")).toHaveText("Enter a name.");
  await form.getByLabel("Name").fill("A garden");
  await form.getByLabel("Name").press("Enter");
  await expect.poll(() => mainOf(app)).toContain("# A garden");
  await expect(page.getByRole("navigation", { name: "Files" }).getByRole("link")).toHaveCount(1);
  await projectMenu(page, "Go to “My first project”");
  await expect.poll(() => mainOf(app)).toContain("# Quiet tic-tac-toe");
  expect(app.complaints).toEqual([]);
});

test("the guide is a project that can be edited, made once", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await projectMenu(page, "Open guide");
  await expect.poll(() => mainOf(app)).toContain("# The guide to Vibey");
  await app.json("POST", "file/doc-writing.md", { content: "# Mine now\n" });
  await projectMenu(page, "Go to “My first project”");
  await expect.poll(() => mainOf(app)).toContain("# Quiet tic-tac-toe");
  await projectMenu(page, "Open guide");
  await expect.poll(() => mainOf(app)).toContain("# The guide to Vibey");
  expect(await app.file("doc-writing.md")).toBe("# Mine now\n");
  expect(app.complaints).toEqual([]);
});

test("a project can be called otherwise, and deleted with all that is kept of it, but not while it is open", { tag: "@long" }, async ({
  app,
  context,
}) => {
  const { page } = app;
  await app.open();
  await projectMenu(page, "New project…");
  await page.getByRole("dialog", { name: "New project" }).getByLabel("Name").fill("A garden");
  await page.keyboard.press("Enter");
  await expect.poll(() => mainOf(app)).toContain("# A garden");
  await expect(page).toHaveTitle("A garden – Vibey");
  const second = await context.newPage();
  await second.goto(page.url().replace(/#.*/, ""));
  await second.evaluate(() => sessionStorage.setItem("vibey project", ""));
  await second.reload();
  await expect(second).toHaveTitle("My first project – Vibey");
  await second.getByRole("button", { name: "Project", exact: true }).click();
  await second.getByRole("button", { name: "All projects…" }).click();
  const all = second.getByRole("dialog", { name: "Projects" });
  const garden = all.getByRole("listitem").filter({ hasText: "A garden" });
  await garden.getByRole("button", { name: "Delete…" }).click();
  await garden.getByRole("button", { name: "Delete “A garden” permanently" }).click();
  await expect(all.getByRole("alert")).toHaveText("Couldn't delete: This project is open in another tab. Close that tab, then delete it.");
  await page.close();
  await garden.getByRole("button", { name: "Cancel" }).click();
  await garden.getByRole("button", { name: "Rename…" }).click();
  await all.getByLabel("Project name").fill("My first project");
  await all.getByLabel("Project name").press("Enter");
  await expect(all.getByRole("alert")).toHaveText("A project with that name already exists.");
  await all.getByLabel("Project name").fill("The orchard");
  await all.getByLabel("Project name").press("Enter");
  const orchard = all.getByRole("listitem").filter({ hasText: "The orchard" });
  await orchard.getByRole("button", { name: "Delete…" }).click();
  await orchard.getByRole("button", { name: "Delete “The orchard” permanently" }).click();
  await expect(all.getByRole("listitem")).toHaveCount(1);
  await expect(second).toHaveTitle("Vibey");
  const left = await second.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ""));
  expect(left.filter((name) => /^vibey-project-(?!history)/.test(name) && name !== "vibey-project-history")).toEqual([]);
});
