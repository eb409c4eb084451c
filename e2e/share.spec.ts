import { expect, test as base } from "@playwright/test";
import { startHost, type StaticHost } from "./static-host.ts";

/** Simulates the system's share sheet, which posts a form to the installed app. */

const test = base.extend<{ host: StaticHost }>({
  // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
  async host({}, use) {
    const host = await startHost({ root: process.env.VIBEY_DIST ?? "dist" });
    await use(host);
    await host.stop();
  },
});
test.use({ serviceWorkers: "allow" });

const elsewhere = "https://share.example/";
const form = (action: string) => `<!doctype html><form method="post" enctype="multipart/form-data" action="${action}">
<input name="title" value="Notes on <b>tea</b>"><input name="text" value="Pour it slowly."><input type="file" name="files" multiple><button>Send</button></form>`;

test("what is shared waits until it has become a doc, a dialog or a file, and is never lost", { tag: "@long" }, async ({
  page,
  context,
  host,
}) => {
  await page.goto(host.url);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: 30_000 }).toBe(true);
  await context.route(elsewhere, (route) => route.fulfill({ contentType: "text/html", body: form(`${host.url}share`) }));
  await page.goto(elsewhere);
  await page.locator("input[type=file]").setInputFiles([
    { name: "Plan B.md", mimeType: "text/markdown", buffer: Buffer.from("# Plan B\n") },
    { name: "dot.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0xff, 0x00]) },
  ]);
  await page.getByRole("button", { name: "Send" }).click();
  const handed = page.getByRole("dialog", { name: "Shared with Vibey" });
  await expect(handed.getByRole("listitem")).toHaveCount(3);
  // A dialog box that was closed without a decision appears again.
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await expect(handed.getByRole("listitem")).toHaveCount(3);
  await handed.getByRole("listitem").first().getByRole("button", { name: "Create doc" }).click();
  await expect(page).toHaveURL(/#\/docs\/doc-notes-on-b-tea-b\.md$/);
  await expect(page.getByText("Pour it slowly.").first()).toBeVisible();
  await handed.getByRole("listitem").first().getByRole("button", { name: "Start a dialog" }).click();
  await handed.getByRole("button", { name: "Add to deed" }).click();
  await expect(handed).toBeHidden();
  await expect(page).toHaveURL(/#\/deed\/dot\.png$/);
  await page.getByRole("tab", { name: "Dialogs" }).click();
  await page.getByRole("link", { name: /plan-b/ }).click();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("# Plan B\n");
});
