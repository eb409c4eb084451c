// The container's files, with the client's interface.
import { Comlink } from "@webcontainer/api/dist/vendor/index.js";

/** @typedef {string | { encoding?: string | null; withFileTypes?: boolean } | null | undefined} Options an encoding, or more */

/** @param {Options} options */
const encodingIn = (options) => (typeof options === "string" ? options : (options?.encoding ?? null));

let ids = 0;

/**
 * @param {ReturnType<typeof import("./line.js").openLine>} line
 * @param {Map<number, (type: string, filename: string) => void>} watches the listeners for changes
 */
export function filesOf(line, watches) {
  return Comlink.proxy({
    /** @param {string} path @param {Options} options */
    readFile: (path, options) => line.call("readFile", path, encodingIn(options)),

    /** @param {string} path @param {string | Uint8Array} data @param {Options} options */
    writeFile: (path, data, options) => line.call("writeFile", path, data, encodingIn(options)),

    /** @param {string} path @param {Options} options */
    async readdir(path, options) {
      const entries = await line.call("readdir", path);
      const named = (/** @type {string} */ name) => (encodingIn(options) === "buffer" ? new TextEncoder().encode(name) : name);
      if (typeof options !== "object" || options?.withFileTypes !== true) return entries.map(({ name }) => named(name));
      // The client reads the type from this property name.
      return entries.map(({ name, type }) => ({ name: named(name), "Symbol(type)": type }));
    },

    /** @param {string} path @param {{ recursive?: boolean }} [options] */
    async mkdir(path, options) {
      const made = await line.call("mkdir", path, options?.recursive === true);
      return made ?? undefined;
    },

    /** @param {string} path @param {{ force?: boolean; recursive?: boolean }} [options] */
    rm: (path, options) => line.call("rm", path, options?.force === true, options?.recursive === true),

    /** @param {string} from @param {string} to */
    rename: (from, to) => line.call("rename", from, to),

    /** @param {string} path @param {{ recursive?: boolean } | string | null} options @param {(type: string, filename: string) => void} listener */
    async watch(path, options, listener) {
      ids += 1;
      const id = ids;
      watches.set(id, listener);
      await line.call("watch", id, path, typeof options === "object" && options?.recursive === true);
      return Comlink.proxy({
        async close() {
          watches.delete(id);
          await line.call("unwatch", id);
        },
      });
    },
  });
}
