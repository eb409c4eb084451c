import { defineConfig } from "vitest/config";

/** Runs the laws of the format with a given seed, and counts what was tried. */
export default defineConfig({
  test: {
    maxWorkers: "100%",
    testTimeout: 120_000,
    environment: "node",
    include: ["tests/dialog/**/*.test.ts"],
    // Contains no laws, but texts of half a million characters.
    exclude: ["tests/dialog/linear.test.ts"],
    setupFiles: ["chaos/count-texts.ts"],
  },
});
