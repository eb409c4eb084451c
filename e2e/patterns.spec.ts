// A line of authority for a part of what a tool can do: offered, written, used and removed.
import type { Page } from "@playwright/test";
import { approve, expectInEditor, writeInEditor } from "./hands.ts";
import { dialogWith, expect, messageBox, newDialog, openWithKey, panel, say, test } from "./steps.ts";

const run = (id: string, command: string) => ({ blocks: [{ call: "run_command", id, input: { command } }] }) as const;
const reply = (text: string) => ({ blocks: [{ text }] });
const like = (page: Page) => panel(page).getByRole("checkbox", { name: /^Always allow echo/ });
const states = (page: Page) => page.getByRole("article").locator("summary em");
const allowed = (page: Page) => page.getByRole("list", { name: "Allowed without asking" });
const lines = (page: Page) => panel(page).locator(".like-lines pre");

for (const width of [1280, 360]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("by mouse: the line is shown before it is written, lets the like through, names itself, and is taken back", {
      tag: width === 360 ? [] : "@long",
    }, async ({ app, claude }) => {
      const { page } = app;
      const id = await dialogWith(app, claude, run("toolu_1", "echo one two --loud"));
      await like(page).check();
      await expect(lines(page)).toHaveText(["> Authorized: command echo one *"]);
      await panel(page).getByLabel("Commands to always allow").selectOption("echo one two --loud");
      await expect(lines(page)).toHaveText(["> Authorized: command echo one two --loud"]);
      await panel(page).getByLabel("Commands to always allow").selectOption("echo one two *");
      await expect(lines(page)).toHaveText(["> Authorized: command echo one two *"]);
      claude.play(run("toolu_2", "echo one two 'three && four'"), run("toolu_3", "echo one two; touch made"));
      await approve(page);
      await expect(states(page).nth(1)).toContainText("allowed by `echo one two *` in this dialog");
      await expect(panel(page)).toContainText("touch made");
      await expect(states(page).nth(0)).toContainText("approved by you");
      const markdown = (await app.json<{ markdown: string }>("GET", `dialog/${id}`)).markdown;
      expect(markdown).toContain("> Authorized: command echo one two *\n");
      expect(markdown).toContain("> Allowed: toolu_2 by this dialog: command echo one two *\n");
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

      // A denial alone sends nothing to the provider.
      await panel(page).getByRole("button", { name: /^Deny/ }).first().click();
      await expect(messageBox(page)).toBeEnabled();
      await allowed(page).getByRole("button", { name: "Ask first" }).click();
      await expect(allowed(page)).toHaveCount(0);
      claude.play(run("toolu_4", "echo one two"));
      await say(page, "Once more.");
      await expect(panel(page)).toContainText("echo one two");
      expect(app.complaints).toEqual([]);
    });

    test("by keyboard alone", { tag: "@long" }, async ({ app, claude }) => {
      const { page } = app;
      await dialogWith(app, claude, run("toolu_1", "echo one --loud"));
      await expect(like(page)).toBeVisible();
      await panel(page).focus();
      // The panel ignores keys at first, so that a key meant for something else decides nothing.
      await expect(async () => {
        if (!(await like(page).isChecked())) await page.keyboard.press("l");
        expect(await like(page).isChecked()).toBe(true);
      }).toPass();
      await expect(lines(page)).toHaveText(["> Authorized: command echo one *"]);
      await like(page).focus();
      await page.keyboard.press("Tab");
      await expect(panel(page).getByLabel("Commands to always allow")).toBeFocused();
      await page.keyboard.press("ArrowDown");
      await expect(lines(page)).toHaveText(["> Authorized: command echo one --loud"]);
      await page.keyboard.press("ArrowUp");
      await panel(page).focus();
      claude.play(run("toolu_2", "echo one"), reply("Twice."));
      await expect(async () => {
        await page.keyboard.press("Enter");
        await expect(panel(page)).toHaveCount(0, { timeout: 500 });
      }).toPass();
      await expect(states(page).nth(1)).toContainText("allowed by `echo one *` in this dialog");
      await expect(messageBox(page)).toBeEnabled();
      const again = allowed(page).getByRole("button", { name: "Ask first" });
      await expect(again).toBeEnabled();
      await again.focus();
      await page.keyboard.press("Enter");
      await expect(allowed(page)).toHaveCount(0);
    });
  });
}

test("a line of main holds for every new dialog, says what it means in the editor, and names itself where it let something through", {
  tag: "@long",
}, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/docs/doc-main.md");
  const doc = "# A game\n\n> Authorized: command echo *\n> Authorized: writes under src/\n> Authorized: command sh *\n";
  await writeInEditor(page, doc);
  await expect(page.locator(".law-meaning")).toHaveText([
    "New dialogs can run “echo” without asking, with or without more arguments, but not with a second command.",
    "New dialogs can write and edit files under src/ without asking.",
    /^Ignored: write /,
  ]);
  await page.keyboard.press("ControlOrMeta+s");
  await expectInEditor(page, doc);
  await expect.poll(() => app.file("doc-main.md")).toBe(doc);
  await newDialog(app, "work");
  claude.play({
    blocks: [
      { call: "run_command", id: "toolu_1", input: { command: "echo a && echo b" } },
      { call: "write_file", id: "toolu_2", input: { path: "src/a.txt", content: "a\n" } },
      { call: "write_file", id: "toolu_3", input: { path: "src/../vibey/doc-b.md", content: "b\n" } },
      { call: "run_command", id: "toolu_4", input: { command: "sh -c 'echo a'" } },
    ],
  });
  await say(page, "Please do it.");
  await panel(page).getByRole("button", { name: "Show messages" }).click();
  await expect(states(page)).toContainText([
    /^allowed by `echo \*` in main/,
    /^allowed by `src\/` in main/,
    "waiting for you",
    "waiting for you",
  ]);
  await expect(panel(page).locator(".ask-call")).toHaveCount(2);
  expect(await app.file("src/a.txt")).toBe("a\n");
  expect(app.complaints).toEqual([]);
});
