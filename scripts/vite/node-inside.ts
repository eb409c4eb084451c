import type { InlineConfig, Plugin } from "vite";
import { at, buildOneScript } from "./script-asset.ts";

export const inside = at("src/shell/embedded/node/inside/");
/** How packages for the inside are resolved, in both engines. */
export const insideConfig = {
  // Keep `process.env`: the program reads it at run time. By default Vite replaces it with an empty object.
  define: { "process.env.NODE_ENV": '"production"', "process.env.READABLE_STREAM": '""', "process.env": "process.env" },
  resolve: { conditions: ["module", "import", "default"], mainFields: ["module", "main"] },
} satisfies InlineConfig;
const id = "virtual:node-inside";

/** Modules that the packages inside QuickJS import, and the files that replace them. */
const replaced: Readonly<Record<string, string>> = {
  "util/": "shims/util.cjs",
  util: "shims/util.cjs",
  buffer: "shims/buffer.cjs",
  events: "shims/events.cjs",
  "process/": "shims/process.cjs",
  "abort-controller": "shims/abort.cjs",
  "object.assign/polyfill": "shims/object-assign.cjs",
  "object-is": "shims/object-is.cjs",
  "object-is/polyfill": "shims/object-is-polyfill.cjs",
  "is-nan": "shims/is-nan.cjs",
  "call-bind/callBound": "shims/call-bound.cjs",
};

/**
 * The module `virtual:node-inside`: everything in `node/inside` and the packages that it uses, bundled into one script and exported as a string.
 * It runs only in QuickJS, so it isn't part of the program's own module graph.
 */
export function nodeInside(): Plugin {
  let script: Promise<string> | null = null;
  return {
    name: "node-inside",
    resolveId: (source) => (source === id ? `\0${id}` : null),
    async load(source) {
      if (source !== `\0${id}`) return null;
      script ??= bundle();
      return `export default ${JSON.stringify(await script)};`;
    },
    configureServer(server) {
      server.watcher.on("change", (file) => {
        if (!file.startsWith(inside)) return;
        script = null;
        const module = server.moduleGraph.getModuleById(`\0${id}`);
        if (module) server.moduleGraph.invalidateModule(module);
      });
    },
  };
}

/** Resolves the modules that the packages of the inside import. */
export function insidePackages(): Plugin {
  return {
    name: "node-inside-packages",
    enforce: "pre",
    async resolveId(source, importer) {
      // An import from a package gets the replacement above. An import from the inside itself, such as from a replacement, gets the real package.
      const name = importer?.startsWith(inside) ? undefined : replaced[source];
      if (name !== undefined) return inside + name;
      if (source === "buffer") return this.resolve("buffer/", importer, { skipSelf: true });
      return null;
    },
    transform(code, module) {
      // The package can't look into iterators, but leaves a function to fill in: `previewEntries`.
      if (!module.includes("/node-inspect-extracted/dist/")) return null;
      if (!code.includes(noPreview)) throw new Error("node-inspect-extracted has no previewEntries anymore");
      return code.replace(noPreview, `previewEntries:function(t){return globalThis[Symbol.for("vibey.node")].previewEntries(t)}`);
    },
  };
}

const noPreview = "previewEntries:function(t){return[[],!1]}";

async function bundle(): Promise<string> {
  const chunk = await buildOneScript("node/inside", {
    ...insideConfig,
    plugins: [insidePackages()],
    build: {
      target: "es2023",
      rolldownOptions: { input: `${inside}main.js`, output: { format: "iife", codeSplitting: false, keepNames: true } },
    },
  });
  return chunk.code;
}
