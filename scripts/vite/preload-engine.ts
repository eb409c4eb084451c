import type { Plugin } from "vite";

/** What a worker's script imports before it runs, by names in its own folder. */
const imports = /(?:\bfrom|\bimport)\s*"\.\/([\w.-]+\.js)"/g;

/**
 * Lets the page fetch the engine's first scripts beside its own: else they are asked for when the page's script has run, and theirs when those
 * have come, which is a second on a slow network.
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
