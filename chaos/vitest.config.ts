import { defineConfig } from "vitest/config";

/** The laws of the format with a seed that is told, and with a count of what was tried. */
export default defineConfig({
  test: {
    maxWorkers: "100%",
    testTimeout: 120_000,
    environment: "node",
    include: ["tests/dialog/**/*.test.ts"],
    // No laws, but texts of half a million characters.
    exclude: ["tests/dialog/linear.test.ts"],
    setupFiles: ["chaos/count-texts.ts"],
  },
});
