// A message to an agent is never lost and never appears twice, whatever closes in between.
import type { Page } from "@playwright/test";
import { expectInEditor, writeInEditor } from "./hands.ts";
import { dialogs, expect, files, markdownOf, messageBox, newDialog, openWithKey, say, test } from "./steps.ts";

declare global {
  interface Window {
    letGo?: () => void;
  }
}

/** Holds the page's own messages: before they reach the engine, or only their answers. */
const hold = (page: Page, what: "request" | "answer") =>
  page.evaluate((held) => {
    const inner = window.fetch;
    const gate = new Promise<void>((resolve) => {
      window.letGo = resolve;
    });
    window.fetch = async (input, init) => {
      if (init?.method !== "PUT" || input !== "dialog") return inner(input, init);
      if (held === "request") await gate;
      const answer = await inner(input, init);
      if (held === "answer") await gate;
      return answer;
    };
  }, what);
const storedDrafts = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).flatMap(([key, value]) => (key.startsWith("vibey draft") ? [String(value)] : [])));

test("a message is kept until the engine has it: the page goes away before, and the text is back", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  await newDialog(app, "work");
  await hold(page, "request");
  await say(page, "Do not lose me.");
  await expect(page.getByText("sending…")).toBeVisible();
  await expect(messageBox(page)).toHaveValue("");
  expect(await storedDrafts(page)).toEqual([expect.stringContaining("Do not lose me.")]);
  await page.reload();
  await expect(messageBox(page)).toHaveValue("Do not lose me.");
});

test("the page goes away after the engine has it, and the text is not there twice", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  const id = await newDialog(app, "work");
  claude.play({ blocks: [{ text: "Yes." }] });
  await hold(page, "answer");
  await say(page, "Only once.");
  await expect(page.getByRole("article", { name: "Agent" })).toContainText("Yes.");
  expect(await storedDrafts(page)).toHaveLength(1);
  await page.reload();
  await expect(page.getByRole("article", { name: "You" })).toHaveCount(1);
  await expect(messageBox(page)).toHaveValue("");
  await expect.poll(() => storedDrafts(page)).toEqual([]);
  expect((await markdownOf(app, id)).match(/Only once\./g)).toHaveLength(1);
});

test("a message taken leaves nothing behind", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  await newDialog(app, "work");
  claude.play({ blocks: [{ text: "Yes." }] });
  await say(page, "Hello.");
  await expect(page.getByRole("article", { name: "Agent" })).toContainText("Yes.");
  await expect.poll(() => storedDrafts(page)).toEqual([]);
});

test("a dialog deleted among the files comes back with the message that was not sent", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  await newDialog(app, "work");
  await messageBox(page).fill("Half a thought");
  await page.getByRole("tab", { name: "Docs" }).click();
  await files(page).getByRole("link", { name: "work" }).hover();
  await files(page).getByRole("button", { name: "Delete work" }).click();
  await expect(files(page).getByRole("link", { name: "work" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expectInEditor(page, /^# Dialog/);
  await page.getByRole("tab", { name: "Dialogs" }).click();
  await dialogs(page).getByRole("link", { name: "work" }).click();
  await expect(messageBox(page)).toHaveValue("Half a thought");
});

test("two tabs on one text: what is typed in one shows in the other, a message and a doc alike", async ({ app, claude, context }) => {
  const { page } = app;
  await openWithKey(app, claude);
  const id = await newDialog(app, "work");
  const other = await context.newPage();
  await other.goto(`./#/dialogs/${id}`);
  await messageBox(page).fill("Written in the first tab");
  await expect(messageBox(other)).toHaveValue("Written in the first tab");
  await messageBox(other).fill("Written in the first tab, and in the second");
  await expect(messageBox(page)).toHaveValue("Written in the first tab, and in the second");
  claude.play({ blocks: [{ text: "Yes." }] });
  await messageBox(page).press("ControlOrMeta+Enter");
  await expect(messageBox(other)).toHaveValue("");

  for (const tab of [page, other]) await tab.goto("./#/docs/doc-main.md");
  await writeInEditor(page, "# Mine\n");
  await expectInEditor(other, "# Mine\n");
  await other.getByRole("button", { name: /^Save/ }).click();
  await expect(page.locator(".status .state")).toHaveText("Saved");
  await expectInEditor(page, "# Mine\n");
  expect(await app.file("doc-main.md")).toBe("# Mine\n");
});
