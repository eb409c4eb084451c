import { test as base } from "@playwright/test";
import { startWebContainerHost, type WebContainerHost } from "./host.ts";
import { hasTerminals } from "./terminal.ts";

/**
 * Tests whose browser finds the stand-in in place of WebContainer's real host. `page`, `context` and `browser` are the usual ones.
 *
 *     import { test as withContainer } from "./webcontainer/fixture.ts";
 *     const test = mergeTests(appTest, withContainer); // or withContainer alone
 *     test("…", async ({ page, container }) => {
 *       container.weather = { fails: "no room" };
 *       await page.goto("./");
 *     });
 *
 * Each test begins with fair weather and no containers, and ends with all of its processes gone.
 */
export const test = base.extend<{ container: WebContainerHost }, { containerHost: WebContainerHost }>({
  containerHost: [
    // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
    async ({}, use) => {
      const host = await startWebContainerHost();
      await use(host);
      await host.close();
    },
    { scope: "worker" },
  ],
  launchOptions: [
    async ({ launchOptions, containerHost }, use) => {
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...containerHost.chromiumArguments] });
    },
    { scope: "worker" },
  ],
  container: [
    async ({ containerHost, context }, use, testInfo) => {
      testInfo.skip(!hasTerminals(), "The stand-in of WebContainer needs Linux");
      await use(containerHost);
      // Close the pages first: an open page would see its container go.
      await context.close();
      await containerHost.clear();
    },
    { auto: true },
  ],
});

export { expect } from "@playwright/test";
