import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { build, type Plugin } from "vite";
import { readHeaderRules } from "../headers.mjs";

/**
 * Not files of the app: what the host or a tool reads, what stands inside the preview's page, and the service worker itself. Nor python3 and
 * sqlite3, which are large and seldom used: they are fetched when they are first called, and kept from then on; nor the shell's script for a WebContainer, which needs
 * the network anyway; nor the licence texts. `node` is there offline.
 */
const left =
  /^(_headers|sw\.js|licences\.txt|\.vite\/.*|preview\/.*\.js|(assets|engine)\/(pyodide|python_stdlib|sql-wasm|shell-[\w-]+\.mjs)[^/]*)$/;
/** Of those, what the service worker keeps once it was used: the engines of python3 and sqlite3. */
const keptWhenUsed = /^(assets|engine)\/(pyodide|python_stdlib|sql-wasm)[^/]*$/;
/** Folders in which Vite puts a hash of the content into every name. */
const named = /^(assets|engine|sandbox)\//;

const source = "virtual:built";

/** What a browser compares a file's content with before it takes it. */
export const integrityOf = (file: string): string => `sha256-${createHash("sha256").update(readFileSync(file)).digest("base64")}`;

/** Every file of the build, with a revision where its name does not tell its content. */
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

/** Files that are kept once they were used, with what their content has to be. */
export function lateFiles(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((url) => keptWhenUsed.test(url))
    .toSorted()
    .map((url) => ({ url, integrity: integrityOf(join(folder, url)) }));
}

/** Builds src/sw/sw.ts into sw.js, after everything else is written: it holds the list of all files and the headers of public/_headers. */
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
        // After a build that failed, too, this is called.
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
