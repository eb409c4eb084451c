import { playwright } from "@vitest/browser-playwright";
import solid from "vite-plugin-solid";
import { defineConfig } from "vitest/config";
import { chromiumArguments, findTestBrowser } from "./scripts/browser.mjs";
import { gitLibrary } from "./scripts/vite/git-library.ts";
import { jqWasm } from "./scripts/vite/jq-wasm.ts";
import { nodeInside } from "./scripts/vite/node-inside.ts";

const executablePath = findTestBrowser();

export default defineConfig({
  test: {
    // The runner leaves a processor free for whoever watches; on two that would be half of them.
    maxWorkers: "100%",
    projects: [
      {
        plugins: [gitLibrary(), jqWasm(), nodeInside()],
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
        plugins: [gitLibrary(), jqWasm(), nodeInside(), solid()],
        // Found while a test runs, they would be bundled then, and the page reloaded under the test.
        optimizeDeps: {
          include: [
            "diff",
            "eventsource-parser",
            "fast-check",
            "marked",
            "solid-js",
            "solid-js/web",
            "virtua/solid",
            "lowlight",
            "highlight.js/lib/languages/bash",
            "highlight.js/lib/languages/css",
            "highlight.js/lib/languages/diff",
            "highlight.js/lib/languages/javascript",
            "highlight.js/lib/languages/json",
            "highlight.js/lib/languages/markdown",
            "highlight.js/lib/languages/python",
            "highlight.js/lib/languages/sql",
            "highlight.js/lib/languages/typescript",
            "highlight.js/lib/languages/xml",
            "highlight.js/lib/languages/yaml",
            "just-bash/browser",
            "@noble/hashes/legacy.js",
            "@noble/hashes/hmac.js",
            "@noble/hashes/sha2.js",
            "quickjs-wasi",
            "sucrase",
            "cjs-module-lexer",
            "semver",
            "pako",
          ],
        },
        test: {
          name: "chromium",
          testTimeout: 120_000,
          include: ["tests/**/*.chromium.test.{ts,tsx}"],
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
