import type { Browser, Page } from "@playwright/test";
import { type StoredState, takeState } from "./stored-state.ts";

/** The browser's stored state of a project with the demo's docs. Most journeys start from it. */
export async function makeFirstProject(browser: Browser, address: string): Promise<StoredState> {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto(address);
  await putFirstProject(page);
  const state = await takeState(page);
  await context.close();
  return state;
}

/** Adds the demo's docs to the open, empty project. */
export async function putFirstProject(page: Page): Promise<void> {
  await page.getByRole("tablist").first().waitFor();
  await page.evaluate(async () => {
    const answer = await fetch("demo", { method: "POST" });
    // 409: the project isn't empty, which is fine.
    if (!answer.ok && answer.status !== 409) throw new Error(await answer.text());
  });
  // The page stores that the project isn't empty; the next page starts from that.
  await page.waitForFunction(() => localStorage.getItem("vibey begun") !== null);
  // Marks the preview as opened before.
  await page.evaluate(() => localStorage.setItem("vibey previewed ", "yes"));
}

/** Does the same when the stored state doesn't apply, because the test has its own host. Then opens `hash`, or doc-main.md. */
export async function begin(page: Page, hash = ""): Promise<void> {
  if (await page.evaluate(() => localStorage.getItem("vibey begun") !== null)) return;
  await putFirstProject(page);
  await page.evaluate((to) => location.replace(to), hash === "" ? "#/docs/doc-main.md" : hash);
}
