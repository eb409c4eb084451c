// How much of a small screen is left for the text, and that hidden controls can be reached.
import { editor } from "./hands.ts";
import { expect, messageBox, openWithKey, test } from "./steps.ts";
import { dialogText, writeDialog } from "./written.ts";

for (const [name, size, least] of [
  ["a phone", { width: 360, height: 740 }, 0.68],
  ["a laptop at 200 %", { width: 640, height: 400 }, 0.68],
] as const)
  test(`on ${name} most of the screen is text`, { tag: name === "a phone" ? [] : "@long" }, async ({ app, claude }) => {
    const { page } = app;
    await page.setViewportSize(size);
    await openWithKey(app, claude, "#/docs/doc-main.md");
    await expect(editor(page)).toBeVisible();
    const doc = await page.locator(".editor-host").boundingBox();
    expect(doc?.height).toBeGreaterThan(size.height * least);
    const answer = dialogText([
      ["User", "Hi."],
      ["Assistant", "Many words. ".repeat(300)],
    ]);
    await page.goto(`#/dialogs/${await writeDialog(app, "long", "waiting", answer)}`);
    await expect(page.getByRole("heading", { level: 2, name: "long" })).toBeVisible();
    const messages = await page.locator(".messages").boundingBox();
    expect(messages?.height).toBeGreaterThan(size.height * least);
    // The controls for sending appear as soon as the user types.
    const send = page.locator(".composer [type=submit]");
    await expect(send).toBeHidden();
    await messageBox(page).focus();
    await expect(send).toBeVisible();
    await messageBox(page).fill("Go on.");
    await page.getByRole("heading", { level: 2, name: "long" }).click();
    await expect(send).toBeVisible();
    await page.getByRole("button", { name: "Dialogs" }).click();
    await expect(page.getByRole("button", { name: "Settings" })).toBeVisible();
  });
