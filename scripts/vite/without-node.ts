import type { Plugin } from "vite";

const nothing = "\0nothing";
/** Packages that import Node's modules only if they run in Node. */
const asking = /\/node_modules\/(pyodide|sql\.js)\//;
const noLibrary = "\0no-library";

/**
 * Gives these packages an empty module, so that a build doesn't warn about modules that no browser requests.
 *
 * It does the same with Turndown, which just-bash needs for a command that the shell leaves out. Loaded in a worker, Turndown looks for a page
 * and throws. The browser then reads the whole script once more to find the line, which takes a quarter of the shell's start time.
 */
export function withoutNode(): Plugin {
  return {
    name: "without-node",
    apply: "build",
    enforce: "pre",
    resolveId(source, importer) {
      if (importer === undefined) return null;
      if (source === "turndown" && importer.includes("/node_modules/just-bash/")) return noLibrary;
      return asking.test(importer) && /^(node:|fs$|path$|crypto$)/.test(source) ? nothing : null;
    },
    load: (id) => (id === nothing ? "export default {};" : id === noLibrary ? "export default class {}" : null),
  };
}
