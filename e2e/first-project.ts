import type { Browser, BrowserContext, Page } from "@playwright/test";

export type FirstProject = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** What a browser keeps of Vibey in which somebody has put the demo's docs in place: most journeys begin there. */
export async function makeFirstProject(browser: Browser, address: string): Promise<FirstProject> {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto(address);
  await putFirstProject(page);
  const state = await context.storageState({ indexedDB: true });
  await context.close();
  return state;
}

/** Puts the demo's docs into the open project, which holds nothing yet. */
export async function putFirstProject(page: Page): Promise<void> {
  await page.getByRole("tablist").first().waitFor();
  await page.evaluate(async () => {
    const answer = await fetch("demo", { method: "POST" });
    // There may be something already, which is as well.
    if (!answer.ok && answer.status !== 409) throw new Error(await answer.text());
  });
  // The page notes that there is something, and the next one starts with it.
  await page.waitForFunction(() => localStorage.getItem("vibey begun") !== null);
  // The preview has opened by itself before.
  await page.evaluate(() => localStorage.setItem("vibey previewed ", "yes"));
}

/** The same where the stored state does not apply, on a host of the test's own say; then shows what the address says, or doc-main.md. */
export async function begin(page: Page, hash = ""): Promise<void> {
  if (await page.evaluate(() => localStorage.getItem("vibey begun") !== null)) return;
  await putFirstProject(page);
  await page.evaluate((to) => location.replace(to), hash === "" ? "#/docs/doc-main.md" : hash);
}
