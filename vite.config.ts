import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { pagePolicy } from "./scripts/vite/page-policy.ts";
import { pageWithoutEngine } from "./scripts/vite/page-without-engine.ts";
import { previewInOneFile } from "./scripts/vite/preview-in-one-file.ts";
import { solidTrustedTypes } from "./scripts/vite/solid-trusted-types.ts";

export default defineConfig({
  base: "./",
  plugins: [
    solidTrustedTypes(),
    // Static style attributes would be inline styles, which the page's policy forbids.
    solid({ solid: { inlineStyles: false } as never }),
    pagePolicy(),
    pageWithoutEngine(),
    previewInOneFile(),
  ],
  // The headers of a worker belong to its own script, so each worker has its own folder in public/_headers.
  worker: {
    format: "es",
    rolldownOptions: {
      output: {
        entryFileNames: (chunk) => `${chunk.facadeModuleId?.includes("/sandbox/") ? "sandbox" : "engine"}/[name]-[hash].js`,
        chunkFileNames: "engine/[name]-[hash].js",
      },
    },
  },
  build: { manifest: true, target: "es2022", modulePreload: { polyfill: false } },
});
