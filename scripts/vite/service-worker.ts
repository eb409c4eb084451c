import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { build, type Plugin } from "vite";
import { readHeaderRules } from "../headers.mjs";

/**
 * Files that the service worker doesn't store in advance: files for the host or a tool, scripts inlined in the preview's page, the service worker
 * itself, and the licence texts. Nor python3 and sqlite3: they are large and seldom used, so they are fetched on first use and then kept. Nor the
 * shell's script for a WebContainer, which needs the network anyway. `node` works offline.
 */
const left =
  /^(_headers|sw\.js|licences\.txt|\.vite\/.*|preview\/.*\.js|(assets|engine)\/(pyodide|python_stdlib|sql-wasm|shell-[\w-]+\.mjs)[^/]*)$/;
/** The files above that the service worker keeps after their first use: the engines of python3 and sqlite3. */
const keptWhenUsed = /^(assets|engine)\/(pyodide|python_stdlib|sql-wasm)[^/]*$/;
/** Folders in which Vite adds a content hash to each file name. */
const named = /^(assets|engine|sandbox)\//;

const source = "virtual:built";

/** The integrity hash with which a browser checks a file's content. */
export const integrityOf = (file: string): string => `sha256-${createHash("sha256").update(readFileSync(file)).digest("base64")}`;

/** All files of the build, each with a revision if its name has no content hash. */
export function builtFiles(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((url) => !left.test(url))
    .toSorted()
    .map((url) => {
      const integrity = integrityOf(join(folder, url));
      return { url, revision: named.test(url) ? null : Buffer.from(integrity.slice(7), "base64").toString("hex").slice(0, 16), integrity };
    });
}

/** Files that are kept after their first use, with their expected content. */
export function lateFiles(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((url) => keptWhenUsed.test(url))
    .toSorted()
    .map((url) => ({ url, integrity: integrityOf(join(folder, url)) }));
}

/** Builds src/sw/sw.ts into sw.js after all other files are written: it contains the list of files and the headers of public/_headers. */
export function serviceWorker(): Plugin {
  let root = "";
  let folder = "";
  let written = false;
  return {
    name: "service-worker",
    apply: "build",
    configResolved(config) {
      root = config.root;
      folder = resolve(root, config.build.outDir);
    },
    writeBundle() {
      written = true;
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        // This hook is also called after a failed build.
        if (!written) return;
        const files = builtFiles(folder);
        const late = lateFiles(folder);
        const rules = readHeaderRules(join(root, "public/_headers"));
        await build({
          configFile: false,
          root,
          publicDir: false,
          logLevel: "warn",
          define: { "process.env.NODE_ENV": '"production"' },
          plugins: [
            {
              name: "service-worker-built",
              resolveId: (id) => (id === source ? `\0${source}` : null),
              load: (id) =>
                id === `\0${source}`
                  ? `export const files = ${JSON.stringify(files)}; export const late = ${JSON.stringify(late)}; export const rules = ${JSON.stringify(rules)};`
                  : null,
            },
          ],
          build: {
            outDir: folder,
            emptyOutDir: false,
            target: "es2022",
            modulePreload: false,
            rolldownOptions: {
              input: join(root, "src/sw/sw.ts"),
              output: { entryFileNames: "sw.js", codeSplitting: false },
            },
          },
        });
      },
    },
  };
}
