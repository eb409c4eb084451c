import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { adoptedStyles } from "./scripts/vite/adopted-styles.ts";
import { gitLibrary } from "./scripts/vite/git-library.ts";
import { headOrder } from "./scripts/vite/head-order.ts";
import { jqWasm } from "./scripts/vite/jq-wasm.ts";
import { language } from "./scripts/vite/language.ts";
import { licences } from "./scripts/vite/licences.ts";
import { nodeInside } from "./scripts/vite/node-inside.ts";
import { nodeProcess } from "./scripts/vite/node-process.ts";
import { pagePolicy } from "./scripts/vite/page-policy.ts";
import { pageWithoutEngine } from "./scripts/vite/page-without-engine.ts";
import { preloadEngine } from "./scripts/vite/preload-engine.ts";
import { previewInOneFile } from "./scripts/vite/preview-in-one-file.ts";
import { shellScript } from "./scripts/vite/shell-script.ts";
import { serviceWorker } from "./scripts/vite/service-worker.ts";
import { solidTrustedTypes } from "./scripts/vite/solid-trusted-types.ts";
import { textsInPlace } from "./scripts/vite/texts-in-place.ts";
import { welcomePage } from "./scripts/vite/welcome-page.ts";
import { withoutNode } from "./scripts/vite/without-node.ts";
import { workerEntries } from "./scripts/vite/worker-entries.ts";

const wanted = process.env["VIBEY_LANGUAGE"];

/**
 * Chunks by name, each of one module and everything that it imports statically. Otherwise everything that it shares with a lazy part would be a
 * separate file, or would come with the lazy part, and many small files compress worse than one. A module goes into the first chunk that needs it.
 */
const inOne = (modules: Readonly<Record<string, string>>) => ({
  groups: Object.entries(modules).map(([name, module]) => ({
    name,
    test: (id: string) => id.endsWith(`/${module}`),
    includeDependenciesRecursively: true,
  })),
});

export default defineConfig({
  base: "./",
  plugins: [
    language(wanted),
    textsInPlace(),
    welcomePage(wanted),
    gitLibrary(),
    jqWasm(),
    solidTrustedTypes(),
    adoptedStyles(),
    // Static style attributes would become inline styles, which the page's policy forbids.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the plugin's types lack this option of its compiler.
    solid({ solid: { inlineStyles: false } as never }),
    pagePolicy(),
    preloadEngine(),
    headOrder(),
    pageWithoutEngine(),
    previewInOneFile(),
    licences({ writes: true }),
    serviceWorker(),
  ],
  // A worker gets the headers of its own script, so each worker has its own folder in public/_headers.
  worker: {
    format: "es",
    plugins: () => [
      language(wanted),
      withoutNode(),
      gitLibrary(),
      nodeInside(),
      nodeProcess(),
      jqWasm(),
      shellScript(),
      licences({ writes: false }),
      workerEntries(),
    ],
    rolldownOptions: {
      // Pyodide calls eval in code that is never loaded here. The policy of the workers forbids every call.
      checks: { eval: false, commonJsVariableInEsm: false },
      output: {
        entryFileNames: (chunk) =>
          `${/\/src\/(?:.+\/)?(shell|preview|markdown)\//.test(chunk.facadeModuleId ?? "") ? "sandbox" : "engine"}/[name]-[hash].js`,
        chunkFileNames: "engine/[name]-[hash].js",
        codeSplitting: inOne({ first: "src/engine/worker.ts", agents: "src/engine/agents.ts" }),
      },
    },
  },
  build: {
    manifest: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: inOne({ first: "src/app/main.tsx", dialogs: "src/app/dialogs/DialogsTab.tsx" }) } },
  },
});
