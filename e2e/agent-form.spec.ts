// An agent's file in the editor, with a form for the same text above it.
import type { Locator, Page } from "@playwright/test";
import { editor, expectInEditor } from "./hands.ts";
import { expect, messageBox, newDialog, openWithKey, test } from "./steps.ts";

const coder = `---
# What the team calls it.
name: coder
description: Writes code
# Asked for by Ada.
color: red
tools: [Read, WebFetch]
model: sonnet
---

You are Coder.
`;

const form = (page: Page): Locator => page.getByRole("form", { name: "Agent" });
const row = (page: Page): Locator => page.getByRole("region", { name: "Agent" }).locator("summary");

test("a form changes lines of an agent's file, and keeps the others and what is typed", async ({ app }) => {
  const { page } = app;
  await app.open();
  await app.json("POST", "file/agent-coder.md", { content: coder });
  await page.goto("#/docs/agent-coder.md");
  await expect(row(page)).toHaveText("Coder · sonnet · reads filesActive");
  await expect(form(page)).toBeHidden();
  await row(page).click();

  const description = form(page).getByLabel("Description");
  await expect(description).toHaveValue("Writes code");
  await description.fill("Writes: code, and tests");
  await form(page).getByLabel("Name").click();
  const described = coder.replace("Writes code", '"Writes: code, and tests"');
  await expectInEditor(page, described);
  await expect.poll(() => app.file("agent-coder.md")).toBe(described);

  // Unsaved typing is saved before the form changes the text.
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText("Mine.\n");
  await expect(page.locator(".status .state")).toHaveText("Unsaved changes");
  await form(page).getByRole("checkbox", { name: "Run commands" }).check();
  const typed = `${described}Mine.\n`.replace("[Read, WebFetch]", "[vfs_read, run_command, WebFetch]");
  await expectInEditor(page, typed);
  await expect.poll(() => app.file("agent-coder.md")).toBe(typed);
  await expect(page.locator(".status .state")).toHaveText("Saved");
  await expect(row(page)).toContainText("reads files, runs commands");

  // A file without the key `tools` allows all tools.
  await form(page).getByRole("checkbox", { name: "All", exact: true }).check();
  await expectInEditor(page, typed.replace(/tools: .*\n/, ""));
  await expect(form(page).getByRole("checkbox", { name: "Launch agents" })).toBeChecked();
  await form(page).getByRole("checkbox", { name: "Write files" }).uncheck();
  await expectInEditor(page, /tools: \[vfs_read, vfs_list, run_command, spawn_agent\]\n/);

  // The form follows the text.
  await app.json("POST", "file/agent-coder.md", { content: coder.replace("Writes code", "Tests code") });
  await expect(description).toHaveValue("Tests code");
  await form(page).getByRole("link", { name: "2 keys not used here" }).click();
  await expect(page).toHaveURL(/#\/agents$/);
  expect(app.complaints).toEqual([]);
});

test("what someone else changed is shown before it is written over", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await app.json("POST", "file/agent-coder.md", { content: coder });
  await page.goto("#/docs/agent-coder.md");
  await row(page).click();
  const description = form(page).getByLabel("Description");
  await description.fill("Mine");
  await app.json("POST", "file/agent-coder.md", { content: coder.replace("Writes code", "Theirs") });
  await expectInEditor(page, /description: Theirs\n/);
  await description.press("Enter");
  await expect(page.getByRole("alert")).toContainText("someone else changed it to “Theirs”");
  await expect(description).toHaveValue("Mine");
  expect(await app.file("agent-coder.md")).toContain("description: Theirs\n");
  await description.press("Enter");
  await expectInEditor(page, /description: Mine\n/);
  await expect(page.getByRole("alert")).toHaveCount(0);

  // Two conflicting versions of the text: neither the form nor the editor loses anything.
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText("My end.");
  await app.json("POST", "file/agent-coder.md", { content: `${coder}Their end.\n` });
  await expect(page.locator(".conflict")).toBeVisible();
  await form(page).getByRole("switch", { name: "Active" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "your text below couldn't be saved first" })).toBeVisible();
  await expect(form(page).getByRole("switch", { name: "Active" })).toBeChecked();
  await expectInEditor(page, /My end\.$/);
  expect(await app.file("agent-coder.md")).toBe(`${coder}Their end.\n`);
  expect(app.complaints).toEqual([]);
});

test("an agent is turned off by keyboard, and is not offered any more", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  await app.json("POST", "file/agent-coder.md", { content: coder });
  await page.goto("#/docs/agent-coder.md");
  await row(page).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(form(page).getByLabel("Name")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("Grace");
  await page.keyboard.press("Enter");
  await expectInEditor(page, /display_name: Grace\n/);
  await expect(form(page).getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Tab");
  const model = form(page).getByRole("combobox", { name: "Model" });
  await expect(model).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { name: "sonnet", exact: true })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { name: "opus", exact: true })).toHaveClass("active");
  await page.keyboard.press("Enter");
  await expectInEditor(page, /model: opus\n/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  for (const name of ["All", "Read files", "Write files", "Run commands", "Launch agents"]) {
    await expect(form(page).getByRole("checkbox", { name, exact: true })).toBeFocused();
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Space");
  await expectInEditor(page, /is_active: false\n/);
  await expect(row(page)).toContainText("Off");
  await expect(form(page).getByRole("switch", { name: "Active" })).toBeFocused();

  // Typing in a field is also saved when the user leaves it by going back.
  await form(page).getByLabel("Description").focus();
  await page.keyboard.press("End");
  await page.keyboard.insertText(" well");
  await page.goBack();
  await expect.poll(() => app.file("agent-coder.md")).toContain("description: Writes code well\n");

  await newDialog(app, "game");
  await messageBox(page).fill("@");
  await expect(page.getByText("This project has no agents yet.")).toBeVisible();
  expect(app.complaints).toEqual([]);
});
