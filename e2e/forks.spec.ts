// Forking a dialog at a message, editing and resending a message, and the other entries of a message's menu.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { say as reply } from "../tests/stand-in/claude.ts";
import { asked, dialogs, expect, markdownOf, messageBox, openWithKey, pasted, test } from "./steps.ts";
import { dialogText, writeDialog } from "./written.ts";

const two = dialogText([
  ["User", "Which colour?"],
  ["Assistant", "Blue is *calm*."],
  ["User", "And which shape?"],
  ["Assistant", "A circle."],
]);
const articles = (page: Page) => page.locator(".dialog-pane article");
/** Opens the menu of a message with the keyboard and chooses an entry. */
async function choose(page: Page, index: number, row: string) {
  const dots = articles(page)
    .nth(index)
    .getByRole("button", { name: /^Message actions/ });
  await dots.focus();
  await dots.press("Enter");
  await page.locator("#message-menu").getByRole("button", { name: row }).press("Enter");
}
const openId = (page: Page) => decodeURIComponent(new URL(page.url()).hash.replace("#/dialogs/", ""));

test("a fork has the messages up to there, says where it is from, and goes on by itself", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  const id = await writeDialog(app, "shapes-and-colours", "done", two);
  const before = await markdownOf(app, id);
  await page.goto(`./#/dialogs/${id}`);
  await expect(articles(page)).toHaveCount(4);
  await choose(page, 1, "Fork from here");
  await expect(page.getByRole("heading", { name: "shapes-and-colours-fork" })).toBeVisible();
  await expect(articles(page)).toHaveCount(2);
  await expect(messageBox(page)).toBeFocused();
  // On a phone the head leaves room for the messages.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  expect((await page.locator(".dialog-head").boundingBox())?.height).toBeLessThan(90);
  if (size) await page.setViewportSize(size);
  claude.play(reply("A square."));
  await messageBox(page).fill("And which form?");
  await messageBox(page).press("ControlOrMeta+Enter");
  await expect(articles(page).last()).toContainText("A square.");
  expect(JSON.stringify(asked(claude).at(-1)?.body.messages)).not.toContain("shape");
  expect(await markdownOf(app, id)).toBe(before);
  await page.locator(".doing").getByRole("link", { name: "shapes-and-colours" }).click();
  await expect(articles(page)).toHaveCount(4);
  await expect(dialogs(page).getByRole("link")).toHaveCount(2);
});

test("a message is edited and sent again in a new dialog; Escape keeps what was typed", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  const id = await writeDialog(app, "shapes", "done", two);
  const before = await markdownOf(app, id);
  await page.goto(`./#/dialogs/${id}`);
  await choose(page, 2, "Edit and resend");
  const editor = page.getByRole("textbox", { name: "Edit and resend" });
  await expect(editor).toBeFocused();
  await expect(editor).toHaveValue("And which shape?");
  await editor.fill("And which size?");
  expect((await new AxeBuilder({ page }).include(".dialog-pane").analyze()).violations).toEqual([]);
  await editor.press("Escape");
  await expect(editor).toHaveCount(0);
  await expect(articles(page).nth(2)).toContainText("And which shape?");
  await page.reload();
  await app.json("PUT", "provider/claude", { apiKey: claude.key, baseURL: claude.url });
  await choose(page, 2, "Edit and resend");
  await expect(editor).toHaveValue("And which size?");
  claude.play(reply("A big one."));
  await editor.press("ControlOrMeta+Enter");
  await expect(articles(page).last()).toContainText("A big one.");
  await expect(articles(page)).toHaveCount(4);
  await expect(articles(page).nth(2)).toContainText("And which size?");
  expect(await markdownOf(app, openId(page))).toContain(`> Forked from: ${id} | Message: 3 | Edited\n`);
  expect(await markdownOf(app, id)).toBe(before);
  // localStorage follows the drafts in memory a moment later.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("vibey draft")))).toEqual([]);
});

test("a message is copied as markdown, and shown in the file", { tag: "@long" }, async ({ app, claude, context }) => {
  const { page } = app;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openWithKey(app, claude);
  const id = await writeDialog(app, "shapes", "done", two);
  await page.goto(`./#/dialogs/${id}`);
  await choose(page, 1, "Copy as Markdown");
  await expect.poll(() => pasted(page)).toBe("Blue is *calm*.");
  await choose(page, 1, "Show in file");
  await expect(page.locator(".text-line.named")).toHaveText([/## Assistant/, /> Time: /, /./, /Blue is \*calm\*\./]);
});
