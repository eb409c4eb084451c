import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromiumArguments, findChromium } from "./scripts/browser.mjs";

const executablePath = findChromium();

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          // No test depends on time; a busy machine only makes them slow.
          testTimeout: 120_000,
          environment: "node",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/**/*.chromium.test.ts"],
          setupFiles: ["fake-indexeddb/auto"],
        },
      },
      {
        // Found while a test runs, it would be bundled then, and the page reloaded under the test.
        optimizeDeps: { include: ["just-bash/browser"] },
        test: {
          name: "chromium",
          testTimeout: 120_000,
          include: ["tests/**/*.chromium.test.ts"],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { ...(executablePath ? { executablePath } : {}), args: chromiumArguments } }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
