import { expect, test } from "./app.ts";

const projectMenu = async (page: import("@playwright/test").Page, label: string) => {
  await page.getByRole("button", { name: "Project", exact: true }).click();
  await page.getByRole("button", { name: label }).click();
};

test("a new project has a page of its own, and the way back to the one before", async ({ app }) => {
  const { page } = app;
  await app.open();
  await projectMenu(page, "New project…");
  const form = page.getByRole("dialog", { name: "New project" });
  await form.getByLabel("Name").fill("  ");
  await form.getByLabel("Name").press("Enter");
  await expect(form.getByRole("alert")).toHaveText("Give the project a name.");
  await form.getByLabel("Name").fill("A garden");
  await form.getByLabel("Name").press("Enter");
  await expect.poll(() => app.file("doc-main.md").catch(() => "")).toContain("# A garden");
  await expect(page.getByRole("navigation", { name: "Files" }).getByRole("link")).toHaveCount(1);
  await projectMenu(page, "Go to “First project”");
  await expect.poll(() => app.file("doc-main.md").catch(() => "")).toContain("# A quiet tic-tac-toe");
  expect(app.complaints).toEqual([]);
});

test("the guide is a project that can be edited, made once", async ({ app }) => {
  const { page } = app;
  await app.open();
  await projectMenu(page, "Open the guide");
  await expect.poll(() => app.file("doc-main.md").catch(() => "")).toContain("# The guide to Vibey");
  await app.json("POST", "file/doc-writing.md", { content: "# Mine now\n" });
  await projectMenu(page, "Go to “First project”");
  await expect.poll(() => app.file("doc-main.md").catch(() => "")).toContain("# A quiet tic-tac-toe");
  await projectMenu(page, "Open the guide");
  await expect.poll(() => app.file("doc-main.md").catch(() => "")).toContain("# The guide to Vibey");
  expect(await app.file("doc-writing.md")).toBe("# Mine now\n");
  expect(app.complaints).toEqual([]);
});
