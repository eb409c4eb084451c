import type { Plugin } from "vite";

const nothing = "\0nothing";
/** Packages that ask for Node's modules only after they have found that they run in Node. */
const asking = /\/node_modules\/(pyodide|sql\.js)\//;

/** Gives them an empty module, so that a build says nothing about modules that no browser ever asks for. */
export function withoutNode(): Plugin {
  return {
    name: "without-node",
    apply: "build",
    enforce: "pre",
    resolveId: (source, importer) =>
      importer !== undefined && asking.test(importer) && /^(node:|fs$|path$|crypto$)/.test(source) ? nothing : null,
    load: (id) => (id === nothing ? "export default {};" : null),
  };
}
