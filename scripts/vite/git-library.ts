import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const id = "\0isomorphic-git";
const bundle = join(dirname(createRequire(import.meta.url).resolve("isomorphic-git")), "index.umd.min.js");
const buffer = fileURLToPath(new URL("../../src/shell/embedded/git/store/buffer.ts", import.meta.url));

/**
 * isomorphic-git needs Node's "buffer" module, which browsers don't have, and looks for a global Buffer. Its browser bundle includes the
 * module, so in a browser "isomorphic-git" resolves to that bundle. It gets our small Buffer as a module variable: other libraries in the
 * worker would mistake a global one for Node's.
 */
export function gitLibrary(): Plugin {
  return {
    name: "git-library",
    enforce: "pre",
    resolveId: (source) => (source === "isomorphic-git" ? id : null),
    async load(given) {
      if (given !== id) return null;
      const code = await readFile(bundle, "utf8");
      return `import { SmallBuffer as Buffer } from ${JSON.stringify(buffer)};
const module = { exports: {} };
((exports, self) => {
${code}
})(module.exports, globalThis);
export default module.exports;
`;
    },
  };
}
