import { createReadStream, existsSync, rmSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { build, type Plugin } from "vite";
import { gitLibrary } from "./git-library.ts";
import { jqWasm } from "./jq-wasm.ts";
import { nodeInside } from "./node-inside.ts";
import { nodeProcess } from "./node-process.ts";
import { at } from "./script-asset.ts";
import { withoutNode } from "./without-node.ts";

const worker = at("src/shell/embedded/worker.ts");
const served = "/bundled-shell/";
const types: Readonly<Record<string, string>> = { ".js": "text/javascript", ".wasm": "application/wasm" };

/**
 * For browser tests: builds the shell's worker into a few scripts. Loading its hundreds of modules one by one takes a second, and nearly every
 * test starts a worker.
 */
export function bundledShell(): Plugin {
  const folder = at(`.cache/bundled-shell/${process.pid}/`);
  let built: Promise<unknown> | null = null;
  return {
    name: "bundled-shell",
    enforce: "pre",
    apply: "serve",
    async load(id) {
      if (id !== `${worker}?worker&url`) return null;
      await (built ??= bundle(folder));
      return `export default ${JSON.stringify(`${served}worker.js`)};`;
    },
    configureServer(server) {
      server.middlewares.use(served, (request, response, next) => {
        const file = join(folder, normalize(`/${(request.url ?? "").split("?", 1)[0]}`));
        if (!existsSync(file)) return next();
        response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
        createReadStream(file).pipe(response);
      });
    },
    closeBundle: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function bundle(outDir: string): Promise<unknown> {
  return build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    base: "./",
    plugins: [withoutNode(), gitLibrary(), nodeInside(), nodeProcess(), jqWasm()],
    build: {
      outDir,
      minify: false,
      modulePreload: false,
      target: "es2022",
      rolldownOptions: { input: worker, output: { format: "es", entryFileNames: "worker.js" } },
    },
  });
}
