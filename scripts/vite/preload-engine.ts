import type { Plugin } from "vite";

/** The scripts that a worker's script imports statically, by their names in its folder. */
const imports = /(?:\bfrom|\bimport)\s*"\.\/([\w.-]+\.js)"/g;

/**
 * Makes the page fetch the engine's first scripts in parallel with its own. Otherwise the browser requests them only after the page's script
 * has run, and their imports only after that, which costs a second on a slow network.
 */
export function preloadEngine(): Plugin {
  return {
    name: "preload-engine",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const sources = new Map(
          Object.values(bundle).flatMap((file) =>
            file.fileName.startsWith("engine/") && file.fileName.endsWith(".js")
              ? [[file.fileName.slice("engine/".length), textOf(file)] as const]
              : [],
          ),
        );
        const worker = [...sources.keys()].find((name) => name.startsWith("worker-"));
        if (worker === undefined) throw new Error("the build has no engine/worker-….js to preload");
        const first = new Set([worker]);
        for (const name of first) for (const [, imported = ""] of (sources.get(name) ?? "").matchAll(imports)) first.add(imported);
        return [...first].map((name) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: "", fetchpriority: "low", href: `./engine/${name}` },
          injectTo: "head" as const,
        }));
      },
    },
  };
}

function textOf(
  file: { readonly type: "asset"; readonly source: string | Uint8Array } | { readonly type: "chunk"; readonly code: string },
): string {
  if (file.type === "chunk") return file.code;
  return typeof file.source === "string" ? file.source : new TextDecoder().decode(file.source);
}
