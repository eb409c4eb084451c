import { expect, test } from "./app.ts";
import { editor, openNewDialog } from "./hands.ts";

test("Ctrl+K finds commands, dialogs, docs and files by a few letters, with the keyboard alone", async ({ app }) => {
  const { page } = app;
  await app.open();
  await openNewDialog(page, { provider: "demo", slug: "build-the-board" });
  await page.keyboard.press("ControlOrMeta+KeyK");
  const box = page.getByRole("combobox", { name: /^Find a command/ });
  await expect(box).toBeFocused();
  const chosen = page.getByRole("listbox", { name: "Results" }).getByRole("option", { selected: true });
  await expect(chosen).toContainText("build-the-board");
  await page.keyboard.press("ArrowDown");
  await expect(chosen).toHaveText(/^Mark as done/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(chosen).toHaveText(/^rules/);
  await box.fill("lok");
  await expect(chosen).toHaveText(/^look/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/docs\/doc-look\.md$/);
  await expect(box).toBeHidden();
  await page.keyboard.press("ControlOrMeta+KeyK");
  await box.fill("nothing has this name");
  await expect(chosen).toHaveCount(0);
  await expect(page.getByText("No results.")).toBeVisible();
  await box.fill("board");
  await page.getByRole("option", { name: /build-the-board/ }).click();
  await expect(page.getByRole("heading", { level: 2, name: "build-the-board" })).toBeVisible();
  expect(app.complaints).toEqual([]);
});

test("what can be done in the doc or the dialog that shows is found too, and only there", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await editor(page).or(page.locator("textarea.editor")).first().focus();
  await expect(page.getByRole("button", { name: "Outline" })).toBeVisible();
  const box = page.getByRole("combobox", { name: /^Find a command/ });
  const options = page.getByRole("option");
  await page.keyboard.press("ControlOrMeta+KeyK");
  await expect(options.first()).toHaveText(/^Find and replace/);
  await expect(options.filter({ hasText: "New doc" })).toHaveCount(1);
  await expect(options.filter({ hasText: "Mark as done" })).toHaveCount(0);
  await box.fill("outline");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation", { name: "Outline" })).toBeVisible();
  await expect(editor(page)).toBeFocused();
  await openNewDialog(page, { provider: "demo", slug: "board" });
  await page.keyboard.press("ControlOrMeta+KeyK");
  await expect(options.filter({ hasText: "New dialog" })).toHaveCount(1);
  await expect(options.filter({ hasText: "Outline" })).toHaveCount(0);
  await box.fill("find in");
  await page.keyboard.press("Enter");
  await expect(box).toBeHidden();
  await page.keyboard.press("ControlOrMeta+KeyK");
  await box.fill("mark done");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Mark as done" })).toBeHidden();
  expect(app.complaints).toEqual([]);
});

test("commands work by their keys, which a list shows; a question mark in a text is one", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await app.json("POST", "dialog/new", { provider: "demo", slug: "one" });
  await page.keyboard.press("ControlOrMeta+Alt+Digit2");
  await expect(page.getByRole("tab", { name: "Dialogs" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("searchbox", { name: "Filter dialogs" }).press("Shift+Slash");
  await page.keyboard.type("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys).toBeHidden();
  await page.getByRole("tab", { name: "Dialogs" }).focus();
  await page.keyboard.type("?");
  await expect(keys).toContainText("Next dialog waiting for you");
  // Shortcuts of the page do nothing while a dialog box is open.
  await page.keyboard.press("ControlOrMeta+Comma");
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeHidden();
  await keys.getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.type("?");
  await expect(keys).toBeHidden();
  await page.keyboard.press("ControlOrMeta+Slash");
  await expect(keys).toBeVisible();
});

test("a dialog that begins to wait while Vibey is out of sight is told of, and a click leads to it", async ({ app, context }) => {
  const { page } = app;
  await context.grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    const shown: { title: string; click: () => void }[] = [];
    Object.assign(globalThis, {
      shown,
      Notification: class extends EventTarget {
        static permission = "granted";
        constructor(title: string) {
          super();
          shown.push({ title, click: () => this.dispatchEvent(new Event("click")) });
        }
        close(): void {}
      },
    });
    let state = "visible";
    Object.defineProperty(document, "visibilityState", { get: () => state });
    Object.assign(globalThis, {
      setVisibility(next: string) {
        state = next;
        document.dispatchEvent(new Event("visibilitychange"));
      },
    });
  });
  const titles = () => page.evaluate(() => (globalThis as unknown as { shown: { title: string }[] }).shown.map(({ title }) => title));
  const look = (state: string) =>
    page.evaluate((next) => (globalThis as unknown as { setVisibility(s: string): void }).setVisibility(next), state);
  await app.open("#/docs");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("checkbox", { name: /^Notify me when a dialog is waiting/ }).check();
  await page.keyboard.press("Escape");
  await app.json("POST", "dialog/new", { provider: "demo", slug: "seen" });
  await expect(page).toHaveTitle("(1) Vibey");
  // The notifier starts a moment after the page.
  await expect
    .poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.some(({ name }) => name?.startsWith("vibey in sight"))))
    .toBe(true);
  await look("hidden");
  await app.json("POST", "dialog/new", { provider: "demo", slug: "unseen" });
  await expect.poll(titles).toEqual([expect.stringMatching(/^unseen: waiting for your reply/)]);
  await page.evaluate(() => (globalThis as unknown as { shown: { click(): void }[] }).shown[0]?.click());
  await expect(page.getByRole("heading", { level: 2, name: "unseen" })).toBeVisible();
});
