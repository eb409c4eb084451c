// The log for people: what happened in a dialog and who did it, one line per event; filtered, followed to its source, and exported to a file.
import { readFile } from "node:fs/promises";
import { approve, writeInEditor } from "./hands.ts";
import { dialogWith, expect, say, test } from "./steps.ts";

test("what happened is in the history, line by line, and leads back to the dialog", async ({ app, claude }) => {
  const { page } = app;
  const id = await dialogWith(app, claude, { blocks: [{ call: "run_command", input: { command: "echo the sea" } }] }, "poem");
  claude.play({ blocks: [{ text: "It says the sea." }] });
  await approve(page);
  await expect(page.getByText("It says the sea.")).toBeVisible();

  await page.goto("#/history");
  const pages = page.getByRole("navigation", { name: "Changes and events" });
  await expect(pages.getByRole("link", { name: "Changes" })).toHaveAttribute("aria-current", "page");
  await pages.getByRole("link", { name: "Events" }).focus();
  await page.keyboard.press("Enter");
  await expect(pages.getByRole("link", { name: "Events" })).toHaveAttribute("aria-current", "page");

  const events = page.getByRole("region", { name: "Events" });
  const row = (text: string | RegExp) => events.locator(".event", { hasText: text });
  await expect(row(/You.*said: “Please do it.”/)).toHaveCount(1);
  await expect(row(/poem.*asked to run echo the sea/)).toHaveCount(1);
  await expect(row(/You.*approved run_command/)).toHaveCount(1);
  await expect(row(/result of run_command: done/)).toHaveCount(1);
  await expect(row(/poem.*said: “It says the sea.”/)).toHaveCount(1);

  await page.getByRole("combobox", { name: "Tool", exact: true }).selectOption("run_command");
  await expect(page).toHaveURL(/#\/history\/events\/tool\/run_command$/);
  await expect(row("said:")).toHaveCount(0);
  await expect(events.locator(".event")).toHaveCount(3);

  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export as JSON" }).click()]);
  expect(download.suggestedFilename()).toMatch(/^vibey-events-\d{4}-\d\d-\d\d\.json$/);
  const exported: { readonly type: string; readonly dialogId: string }[] = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(exported.map(({ type, dialogId }) => [type, dialogId])).toEqual([
    ["tool_call", id],
    ["approval", id],
    ["tool_result", id],
  ]);

  await page.getByRole("combobox", { name: "Severity", exact: true }).selectOption("Error");
  await expect(page.getByText("No events match these filters.")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(row("said: “Please do it.”")).toHaveCount(1);

  await row("asked to run").click();
  await expect(page).toHaveURL(new RegExp(`#/dialogs/${id}/place/`));
  const named = page.locator(".text-line.named");
  await expect(named.first()).toContainText("---");
  await expect(named.filter({ hasText: "echo the sea" }).first()).toBeVisible();
});

test("what is saved is an event, which leads to the change", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await writeInEditor(page, "# A poem about the sea\n");
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => app.file("doc-main.md")).toContain("# A poem about the sea");
  await page.goto("#/history/events/type/commit");
  const events = page.getByRole("region", { name: "Events" });
  const row = events.locator(".event", { hasText: /You.*changed 1 file: docs: edited main\.md/ });
  await expect(row).toHaveCount(1);
  await row.click();
  await expect(page).toHaveURL(/#\/history\/[0-9a-f]{40}$/);
  await expect(page.getByRole("link", { name: "Changes", exact: true })).toHaveAttribute("aria-current", "page");
  await expect(page.getByText("A poem about the sea").first()).toBeVisible();
});

test("what happens while the page is open comes to the top", { tag: "@long" }, async ({ app, claude, context }) => {
  const { page } = app;
  await dialogWith(app, claude, { blocks: [{ text: "Here I am." }] }, "poem");
  await expect(page.getByText("Here I am.")).toBeVisible();
  const other = await context.newPage();
  await other.goto("./#/history/events");
  const rows = other.locator(".event");
  await expect(rows.filter({ hasText: "said: “Here I am.”" })).toHaveCount(1);

  claude.play({ blocks: [{ text: "Still here." }] });
  await say(page, "And now?");
  await expect(rows.filter({ hasText: "said: “And now?”" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "said: “Still here.”" })).toHaveCount(1);
  const texts = await rows.allTextContents();
  const at = (text: string) => texts.findIndex((one) => one.includes(text));
  expect(at("Still here.")).toBeLessThan(at("And now?"));
  expect(at("And now?")).toBeLessThan(at("Here I am."));
});

test("the palette leads to the events", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("go to events");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/history\/events$/);
});
