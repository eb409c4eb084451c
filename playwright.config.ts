import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { chromiumArguments, ensureChromium, findTestBrowser } from "./scripts/browser.mjs";

const port = Number(process.env.VIBEY_E2E_PORT ?? 4310);

/**
 * What a previewed page must not do is tried in the whole browser, as it is on a desktop: that the headless shell lacks a way out would prove
 * nothing.
 */
const desktop = "preview-{floods,frames,leaks,reach}.spec.ts";

/** Real browsers on the production build, under a sub-path as many static hosts do, served with the shipped headers, or with none (`VIBEY_HEADERS=none`). */
export default defineConfig({
  testDir: "e2e",
  // Nothing is proven by how long it takes: these end a test that hangs, on the busiest machine.
  timeout: 120_000,
  // The pictures of `npm run screens`.
  expect: { timeout: 20_000, toHaveScreenshot: { pathTemplate: "{testDir}/../.cache/screens/{arg}{ext}" } },
  // A journey waits for half of its time: for an answer, for what it looks at again in a moment.
  workers: 2 * availableParallelism(),
  fullyParallel: true,
  // docs/decisions/journeys.md says which journeys these are; `npm run chaos -- journeys` runs them.
  grepInvert: process.env.VIBEY_CHAOS || process.env.VIBEY_LONG ? [] : /@long/,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  outputDir: `test-results/${port}`,
  reporter: [["list"], ["json", { outputFile: `.cache/e2e${process.env.VIBEY_E2E_PORT ?? ""}.json` }]],
  use: {
    baseURL: `http://localhost:${port}/vibey/`,
    launchOptions: { executablePath: findTestBrowser() ?? ensureChromium(), args: chromiumArguments },
    viewport: { width: 1280, height: 800 },
    // What the service worker does is tested in offline.spec.ts, which lets it; elsewhere a precache for every test would cost minutes. On a host
    // without headers nothing runs without it.
    serviceWorkers: process.env.VIBEY_HEADERS === "none" ? "allow" : "block",
  },
  // Journeys of the other engines have drivers of their own, since Playwright drives only its own builds of them. The longest come first: at the
  // end of the run they would be waited for alone. One of each engine at a time: a browser of four takes all that two processors have.
  // They have more time: they share the two processors with Chromium.
  projects: [
    { name: "webkit", testMatch: "engines/*.spec.ts", workers: 1, timeout: 300_000 },
    { name: "firefox", testMatch: "engines/*.spec.ts", workers: 1, timeout: 300_000 },
    { name: "desktop", testMatch: desktop, use: { launchOptions: { executablePath: ensureChromium(), args: chromiumArguments } } },
    { name: "chromium", testIgnore: ["engines/**", desktop] },
  ],
  webServer: { command: `node e2e/serve.mjs ${port}`, url: `http://localhost:${port}/vibey/`, reuseExistingServer: false },
});
