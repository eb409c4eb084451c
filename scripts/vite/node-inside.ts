import type { InlineConfig, Plugin } from "vite";
import { at, buildOneScript } from "./script-asset.ts";

export const inside = at("src/shell/embedded/node/inside/");
/** How the packages that run inside are read, in either engine. */
export const insideConfig = {
  // `process.env` is the program's own: Vite would put an empty object in its place.
  define: { "process.env.NODE_ENV": '"production"', "process.env.READABLE_STREAM": '""', "process.env": "process.env" },
  resolve: { conditions: ["module", "import", "default"], mainFields: ["module", "main"] },
} satisfies InlineConfig;
const id = "virtual:node-inside";

/** What the packages that run inside QuickJS ask for, and what answers there. */
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
 * The module `virtual:node-inside`: everything in `node/inside` with the packages that it uses, bundled to one script, as a text. It runs in QuickJS,
 * never here, so it is no part of the program's own module graph.
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

/** Gives each package of the inside what it asks for. */
export function insidePackages(): Plugin {
  return {
    name: "node-inside-packages",
    enforce: "pre",
    async resolveId(source, importer) {
      // A package means what stands above; what stands above means the package.
      const name = importer?.startsWith(inside) ? undefined : replaced[source];
      if (name !== undefined) return inside + name;
      if (source === "buffer" || source === "events") return this.resolve(`${source}/`, importer, { skipSelf: true });
      return null;
    },
    transform(code, module) {
      // It knows nothing of what an iterator has left, and has a function in which to say so.
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
