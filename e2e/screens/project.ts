import type { Page } from "@playwright/test";
import JSZip from "jszip";
import { expect } from "../steps.ts";
import { close, projectMenu } from "./menus.ts";
import type { Here, Visit } from "./visit.ts";

declare global {
  interface Window {
    /** The page's original `fetch`. */
    fetchNow?: typeof fetch;
  }
}

const box = ({ page }: Here) => page.getByRole("dialog", { name: "Import zip" });

async function chooseZip(here: Here, name: string, files: Readonly<Record<string, string>>, link?: string): Promise<void> {
  const zip = new JSZip();
  for (const [path, text] of Object.entries(files)) zip.file(path, text);
  if (link !== undefined) zip.file(link, "/etc/passwd", { unixPermissions: 0o120777 });
  const buffer = await zip.generateAsync({ type: "nodebuffer", platform: "UNIX" });
  await box(here).getByLabel("Zip file").setInputFiles({ name, mimeType: "application/zip", buffer });
}

const exporting = ({ page }: Here) => page.getByRole("dialog", { name: "Export" });

/** Exports everything while the request with this parameter fails or is never answered. */
async function exportWith(page: Page, how: "fails" | "never answers", parameter: "look" | "form"): Promise<void> {
  await page.evaluate(
    ([what, name]) => {
      window.fetchNow ??= window.fetch;
      const { fetchNow } = window;
      window.fetch = (input, init) => {
        if (typeof input !== "string" || !input.startsWith("project.zip") || !input.includes(`${name}=`)) return fetchNow(input, init);
        return what === "fails" ? Promise.reject(new TypeError("the line is cut")) : new Promise(() => {});
      };
    },
    [how, parameter] as const,
  );
  await projectMenu(page, "Export everything");
}

/** Waits until the page of the opened project has loaded. */
const isIn = ({ app }: Here, words: string) => expect.poll(() => app.file("doc-main.md").catch(() => "")).toContain(words);

export const project: readonly Visit[] = [
  {
    async "project, its menu"({ app, page }) {
      await app.open();
      await projectMenu(page);
    },
    async "zip, none chosen"(here) {
      await here.page.locator("#project-menu").getByRole("button", { name: "Import zip…" }).press("Enter");
      await expect(box(here)).toBeVisible();
    },
    async "zip, refused"(here) {
      await chooseZip(here, "a-zip-that-somebody-sent.zip", { "ok.txt": "fine" }, "link");
      await expect(box(here).getByRole("alert")).toContainText("can't be imported.");
    },
    async "zip, what is inside"(here) {
      await chooseZip(here, "My garden.zip", {
        "vibey/doc-main.md": "# Theirs\n\n> Authorized: write_file\n",
        "a-file-with-a-rather-long-name-for-a-narrow-list/and-more-of-it.txt": "new",
      });
      await box(here).getByText("Files").press("Enter");
      await box(here)
        .getByRole("radio", { name: /^This project/ })
        .check();
      await expect(box(here).getByRole("group", { name: /may conflict/ })).toContainText("vibey/doc-main.md");
    },
    async "zip, taken in"(here) {
      await box(here).getByRole("button", { name: "Import", exact: true }).press("Enter");
      await expect(box(here).getByRole("status")).toContainText("imported");
    },
    async "export, its look fails"(here) {
      await close(here.page);
      await exportWith(here.page, "fails", "look");
      await expect(exporting(here).getByRole("alert")).toContainText("Couldn't check what would run outside the browser");
    },
    async "export, it fails"(here) {
      await close(here.page);
      await exportWith(here.page, "fails", "form");
      await expect(exporting(here).getByRole("alert")).toContainText("Couldn't export the project");
    },
    async "export, at work"(here) {
      await close(here.page);
      await exportWith(here.page, "never answers", "form");
      await expect(exporting(here).getByText("Exporting the project…")).toBeVisible();
    },
  },
  {
    async "project, a new one"({ app, page }) {
      await app.open();
      await projectMenu(page, "New project…");
      const form = page.getByRole("dialog", { name: "New project" });
      await form.getByLabel("Name").press("Enter");
      await expect(form.getByRole("alert")).toHaveText("Enter a name.");
    },
    async "project, just made"(here) {
      const { page } = here;
      await page
        .getByRole("dialog", { name: "New project" })
        .getByLabel("Name")
        .fill("A garden with a rather long name, and a wall around it");
      await page.keyboard.press("Enter");
      await isIn(here, "# A garden");
      await expect(page.locator(".project-name")).toBeVisible();
    },
    async "projects, two"({ page }) {
      await projectMenu(page, "Go to “My first project”");
      await expect(page.locator(".project-name")).toHaveText("My first project");
      await projectMenu(page, "All projects…");
      await expect(page.getByRole("dialog", { name: "Projects" }).getByRole("listitem")).toHaveCount(2);
    },
    async "projects, one to be called otherwise"({ page }) {
      const all = page.getByRole("dialog", { name: "Projects" });
      await all.getByRole("listitem").filter({ hasText: "A garden" }).getByRole("button", { name: "Rename…" }).press("Enter");
      await expect(all.getByLabel("Project name")).toBeVisible();
    },
    async "projects, one to be deleted"({ page }) {
      const all = page.getByRole("dialog", { name: "Projects" });
      await all.getByRole("button", { name: "Cancel" }).press("Enter");
      const garden = all.getByRole("listitem").filter({ hasText: "A garden" });
      await garden.getByRole("button", { name: "Delete…" }).press("Enter");
      await expect(garden.getByRole("button", { name: /permanently$/ })).toBeVisible();
    },
    async guide(here) {
      await close(here.page);
      await projectMenu(here.page, "Open guide");
      await isIn(here, "# The guide to Vibey");
      await expect(here.page.locator(".project-name")).toBeVisible();
    },
  },
];
