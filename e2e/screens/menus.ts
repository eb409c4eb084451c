import { expect, type Locator, type Page } from "@playwright/test";

/** Opens the menu of a message with the keyboard. Chooses `row` if given. */
export async function chooseOf(page: Page, message: number, row?: string): Promise<void> {
  const dots = page
    .locator(".dialog-pane article")
    .nth(message)
    .getByRole("button", { name: /^Message actions/ });
  await dots.focus();
  await dots.press("Enter");
  const menu = page.locator("#message-menu");
  await expect(menu).toBeVisible();
  if (row !== undefined) await menu.getByRole("button", { name: row }).press("Enter");
}

/** Opens the project menu. Chooses `row` if given. */
export async function projectMenu(page: Page, row?: string): Promise<void> {
  await page.getByRole("button", { name: "Project", exact: true }).press("Enter");
  const menu = page.locator("#project-menu");
  await expect(menu).toBeVisible();
  if (row !== undefined) await menu.getByRole("button", { name: row, exact: true }).press("Enter");
}

/** Opens the settings. */
export async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  const form = page.getByRole("dialog", { name: "Settings" });
  await expect(form.getByLabel("Address", { exact: true })).not.toHaveValue("");
  return form;
}

/** Closes all boxes over the page. In a search field the first Escape only clears it. */
export async function close(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog[open], [popover]:popover-open").count()).toBe(0);
  }).toPass();
}
