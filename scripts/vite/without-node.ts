import type { Plugin } from "vite";

const nothing = "\0nothing";
/** Packages that ask for Node's modules only after they have found that they run in Node. */
const asking = /\/node_modules\/(pyodide|sql\.js)\//;
const noLibrary = "\0no-library";

/**
 * Gives them an empty module, so that a build says nothing about modules that no browser ever asks for.
 *
 * So it does with Turndown, which just-bash has for a command that the shell leaves out: when it is loaded in a worker it looks for a
 * page, throws, and has the browser read the whole script once more to find the line, a quarter of the time in which the shell starts.
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
