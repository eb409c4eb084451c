import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";

/**
 * Inlines the preview host's scripts into its page. Requests of an opaque origin never go through a service worker, so with separate scripts
 * the preview would need the network.
 */
export function previewInOneFile(): Plugin {
  let folder = "";
  let written = false;
  return {
    name: "preview-in-one-file",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir, "preview");
    },
    writeBundle() {
      written = true;
    },
    closeBundle() {
      // This hook is also called after a failed build.
      if (!written) return;
      const page = join(folder, "index.html");
      writeFileSync(
        page,
        withScripts(readFileSync(page, "utf8"), (name) => readFileSync(join(folder, name), "utf8")),
      );
    },
  };
}

export function withScripts(html: string, read: (name: string) => string): string {
  return html.replace(/<script src="([^"]+)"><\/script>/g, (_tag, name: string) => {
    const script = read(name);
    if (/<\/script|<!--/i.test(script))
      throw new Error(`${name} can't stand inside a page: it holds an end of a script or a comment's start`);
    return `<script>\n${script}</script>`;
  });
}
