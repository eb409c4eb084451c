import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { chromiumArguments, ensureChromium, findTestBrowser } from "./scripts/browser.mjs";

const port = Number(process.env.VIBEY_E2E_PORT ?? 4310);

/** These tests run in a full desktop browser: it would prove nothing if a previewed page had no way out only because the headless shell lacks it. */
const desktop = "preview-{floods,frames,leaks,reach}.spec.ts";

/** Real browsers on the production build, under a sub-path as on many static hosts, with the shipped headers or with none (`VIBEY_HEADERS=none`). */
export default defineConfig({
  testDir: "e2e",
  // No test depends on this time: it ends a test that hangs, even on the busiest machine.
  timeout: 120_000,
  // For the pictures of `npm run screens`.
  expect: { timeout: 20_000, toHaveScreenshot: { pathTemplate: "{testDir}/../.cache/screens/{arg}{ext}" } },
  // A journey spends half of its time waiting for an answer or for the next poll.
  workers: 2 * availableParallelism(),
  fullyParallel: true,
  // docs/decisions/journeys.md says which journeys these are. `npm run chaos -- journeys` runs them.
  grepInvert: process.env.VIBEY_CHAOS || process.env.VIBEY_LONG ? [] : /@long/,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  outputDir: `test-results/${port}`,
  reporter: [["list"], ["json", { outputFile: `.cache/e2e${process.env.VIBEY_E2E_PORT ?? ""}.json` }]],
  use: {
    baseURL: `http://localhost:${port}/vibey/`,
    launchOptions: { executablePath: findTestBrowser() ?? ensureChromium(), args: chromiumArguments },
    viewport: { width: 1280, height: 800 },
    // offline.spec.ts tests the service worker and allows it. A precache in every other test would cost minutes. On a host without headers
    // nothing runs without it.
    serviceWorkers: process.env.VIBEY_HEADERS === "none" ? "allow" : "block",
  },
  // Journeys in other engines have their own drivers, because Playwright drives only its own builds. The longest come first: at the end of the run
  // everything would wait for them. Only one of each engine runs at a time: more would take all that two processors have.
  // They get more time because they share the two processors with Chromium.
  projects: [
    { name: "webkit", testMatch: "engines/*.spec.ts", workers: 1, timeout: 300_000 },
    { name: "firefox", testMatch: "engines/*.spec.ts", workers: 1, timeout: 300_000 },
    { name: "desktop", testMatch: desktop, use: { launchOptions: { executablePath: ensureChromium(), args: chromiumArguments } } },
    { name: "chromium", testIgnore: ["engines/**", desktop] },
  ],
  webServer: { command: `node e2e/serve.mjs ${port}`, url: `http://localhost:${port}/vibey/`, reuseExistingServer: false },
});
