import type { Plugin } from "vite";
import { licences as readLicences, licencesPage, unlisted } from "../licences.mjs";

/** The path of the licence page, relative to the app's base. */
const page = "licences.txt";

/**
 * Writes the licence texts of all packages that the product is built from. Fails the build if a bundle contains a module of another package.
 * `writes`: true only for the page's bundle; the workers' bundles are only checked.
 */
export function licences({ writes }: { readonly writes: boolean }): Plugin {
  return {
    name: "licences",
    apply: "build",
    generateBundle(_options, bundle) {
      const all = readLicences();
      const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? Object.keys(file.modules) : file.originalFileNames));
      const missing = unlisted(modules, all);
      if (missing.length > 0)
        this.error(`No licence is written for ${missing.join(", ")}: a package that is bundled belongs into "dependencies"`);
      if (writes) this.emitFile({ type: "asset", fileName: page, source: licencesPage(all) });
    },
  };
}
