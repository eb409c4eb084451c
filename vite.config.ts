import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { adoptedStyles } from "./scripts/vite/adopted-styles.ts";
import { gitLibrary } from "./scripts/vite/git-library.ts";
import { language } from "./scripts/vite/language.ts";
import { nodeInside } from "./scripts/vite/node-inside.ts";
import { pagePolicy } from "./scripts/vite/page-policy.ts";
import { pageWithoutEngine } from "./scripts/vite/page-without-engine.ts";
import { preloadEngine } from "./scripts/vite/preload-engine.ts";
import { previewInOneFile } from "./scripts/vite/preview-in-one-file.ts";
import { shellScript } from "./scripts/vite/shell-script.ts";
import { serviceWorker } from "./scripts/vite/service-worker.ts";
import { solidTrustedTypes } from "./scripts/vite/solid-trusted-types.ts";
import { textsInPlace } from "./scripts/vite/texts-in-place.ts";
import { withoutNode } from "./scripts/vite/without-node.ts";

const wanted = process.env["VIBEY_LANGUAGE"];

export default defineConfig({
  base: "./",
  resolve: { alias: [gitLibrary] },
  plugins: [
    language(wanted),
    textsInPlace(),
    solidTrustedTypes(),
    adoptedStyles(),
    // Static style attributes would be inline styles, which the page's policy forbids.
    solid({ solid: { inlineStyles: false } as never }),
    pagePolicy(),
    preloadEngine(),
    pageWithoutEngine(),
    previewInOneFile(),
    serviceWorker(),
  ],
  // The headers of a worker belong to its own script, so each worker has its own folder in public/_headers.
  worker: {
    format: "es",
    plugins: () => [language(wanted), withoutNode(), nodeInside(), shellScript()],
    rolldownOptions: {
      // Pyodide has calls of eval for what is never loaded here; the policy of the workers forbids every one.
      checks: { eval: false, commonJsVariableInEsm: false },
      output: {
        entryFileNames: (chunk) =>
          `${/\/(sandbox|preview|markdown)\//.test(chunk.facadeModuleId ?? "") ? "sandbox" : "engine"}/[name]-[hash].js`,
        chunkFileNames: "engine/[name]-[hash].js",
      },
    },
  },
  build: { manifest: true, target: "es2022", modulePreload: { polyfill: false } },
});
