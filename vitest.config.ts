import { playwright } from "@vitest/browser-playwright";
import solid from "vite-plugin-solid";
import { defineConfig } from "vitest/config";
import { chromiumArguments, findTestBrowser } from "./scripts/browser.mjs";
import { bundledShell } from "./scripts/vite/bundled-shell.ts";
import { gitLibrary } from "./scripts/vite/git-library.ts";
import { jqWasm } from "./scripts/vite/jq-wasm.ts";
import { nodeInside } from "./scripts/vite/node-inside.ts";
import { nodeProcess } from "./scripts/vite/node-process.ts";

const executablePath = findTestBrowser();
/** Milliseconds. No test depends on this time: it ends a test that hangs, even on the busiest machine. */
const testTimeout = 300_000;

/**
 * Each process runs many files, which saves half a second per file, and the shell is loaded once. `tests/after-each-file.ts` restores what a file
 * may have changed. `together` runs no shell: the first module to load just-bash must be the one that watches it (`tests/learn-shell.ts`).
 */
const shared = {
  isolate: false,
  // More room for young objects: tests create many, and spent an eighth of their time on garbage collection.
  execArgv: ["--max-semi-space-size=64"],
  setupFiles: ["tests/can-parse.ts", "tests/equal-bytes.ts", "fake-indexeddb/auto", "tests/after-each-file.ts"],
};
const together = [
  "app",
  "cases",
  "dialog",
  "protocol",
  "engine/agents",
  "engine/cost",
  "engine/dialogs",
  "engine/log",
  "engine/network",
  "engine/outside",
  "engine/projections",
  "engine/prompt",
  "engine/providers",
  "engine/routes",
  "engine/scheduler",
  "engine/turn",
].map((folder) => `tests/${folder}/**/!(commands-at-once).test.ts`);
/**
 * Each of these has its own process: it fills the memory, which is freed at its end, or inspects its process, or starts hundreds of programs, each of
 * which takes ten times as long from a process that has run many files.
 */
const alone = [
  "engine/project/outgoing/outgoing",
  "shell/awk-memory",
  "shell/bombs",
  "shell/git/against-git",
  "shell/git/network",
  "shell/isolation",
  "shell/memory",
  "shell/node/node",
  "shell/npm/large",
  "shell/npm/packages",
  "shell/pip/pip",
  "shell/python/python",
  "shell/sqlite/sqlite",
  "shell/webcontainer/script/process",
].map((name) => `tests/${name}.test.ts`);
const inChromium = "tests/**/*.chromium.test.{ts,tsx}";
/** Tests that repeat other tests: the same commands on another host or in another engine. `npm run chaos -- units` runs them. */
const left = process.env["VIBEY_LONG"] === undefined ? ["tests/**/*.long.*"] : [];
/** A poll ends as soon as its condition holds. */
const patience = { poll: { timeout: 60_000 } } as const;

export default defineConfig({
  test: {
    // By default Vitest leaves one processor free, which is half of two.
    maxWorkers: "100%",
    projects: [
      {
        plugins: [gitLibrary(), jqWasm(), nodeInside(), nodeProcess()],
        test: {
          name: "node",
          testTimeout,
          hookTimeout: testTimeout,
          environment: "node",
          expect: patience,
          include: ["tests/**/*.test.ts"],
          exclude: [inChromium, ...together, ...alone, ...left],
          ...shared,
          setupFiles: [...shared.setupFiles, "tests/learn-shell.ts"],
        },
      },
      {
        plugins: [gitLibrary(), jqWasm(), nodeInside(), nodeProcess()],
        test: {
          name: "alone",
          testTimeout,
          hookTimeout: testTimeout,
          environment: "node",
          expect: patience,
          include: alone,
          exclude: left,
          execArgv: shared.execArgv,
          setupFiles: ["tests/can-parse.ts", "tests/equal-bytes.ts", "fake-indexeddb/auto"],
        },
      },
      {
        plugins: [gitLibrary(), jqWasm(), nodeInside(), nodeProcess()],
        test: {
          name: "together",
          testTimeout,
          hookTimeout: testTimeout,
          environment: "node",
          expect: patience,
          include: together,
          exclude: [inChromium, ...left],
          ...shared,
        },
      },
      {
        plugins: [bundledShell(), gitLibrary(), jqWasm(), nodeInside(), nodeProcess(), solid()],
        // A package discovered during a test would be bundled then, and the page would reload under the test. So each has to be named here.
        optimizeDeps: {
          noDiscovery: true,
          include: [
            "diff",
            "eventsource-parser",
            "fast-check",
            "marked",
            "solid-js",
            "solid-js/web",
            "idb",
            "pyodide/pyodide.asm.mjs",
            "@renovatebot/pep440",
            "@webcontainer/api",
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
            "@noble/hashes/hkdf.js",
            "@noble/hashes/hmac.js",
            "@noble/hashes/scrypt.js",
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
          testTimeout,
          hookTimeout: testTimeout,
          expect: patience,
          include: [inChromium],
          exclude: left,
          browser: {
            enabled: true,
            // Commands that only Node can run, for tests that compare with Node.
            commands: {
              realRun: async (_context, line: string, files: Readonly<Record<string, string>>) =>
                (await import("./tests/shell/node/recorded.ts")).realRun(line, files),
              watch: async () => (await import("./tests/shell/node/watcher.ts")).watch(),
              seenBy: async (_context, address: string) => (await import("./tests/shell/node/watcher.ts")).seenBy(address),
            },
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
