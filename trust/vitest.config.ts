import { defineConfig } from "vitest/config";

/** The laws of the format with a seed that is told, and with a count of what was tried. */
export default defineConfig({
  test: {
    maxWorkers: "100%",
    testTimeout: 120_000,
    environment: "node",
    include: ["tests/format/**/*.test.ts"],
    // No laws, but texts of half a million characters.
    exclude: ["tests/format/linear.test.ts"],
    setupFiles: ["trust/count-texts.ts"],
  },
});
