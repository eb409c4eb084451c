import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * isomorphic-git's modules depend on a hash that wants Node's "buffer" module, which no browser has. Its bundle for browsers brings that along,
 * so in a browser it is what "isomorphic-git" means.
 */
export const gitLibrary = {
  find: /^isomorphic-git$/,
  replacement: join(dirname(createRequire(import.meta.url).resolve("isomorphic-git")), "index.umd.min.js"),
};
