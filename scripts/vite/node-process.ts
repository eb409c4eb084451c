import type { Plugin } from "vite";
import { inside, insideConfig, insidePackages } from "./node-inside.ts";
import { at, buildOneScript, scriptAsset, writeAsset } from "./script-asset.ts";

const own = at("src/shell/embedded/node/frame/process/");
/** The asset is named after this file. */
const file = at(".cache/node-process/node-process.js");

/** Modules of the inside that have another version for the browser's engine. */
const replaced = new Map(["stack.js", "intl.js"].map((name) => [inside + name, own + name]));

/** The browser globals that `natives.ts` exports under their own names. */
const natives = [
  "AbortController",
  "AbortSignal",
  "atob",
  "clearTimeout",
  "crypto",
  "performance",
  "setTimeout",
  "TextDecoder",
  "TextEncoder",
  "URL",
];

/** Packages that few programs need, with the exports that are used of each. */
const late: Readonly<Record<string, readonly string[]>> = { acorn: ["parse"], pako: ["Deflate", "Inflate"], sucrase: ["transform"] };
const version = "es2023";

/** Keeps these packages in the script as strings, so that a process parses a package only when the program calls it. */
function latePackages(): Plugin {
  const prefix = "\0late:";
  return {
    name: "node-process-late",
    enforce: "pre",
    resolveId: (source) => (Object.hasOwn(late, source) ? prefix + source : null),
    async load(id) {
      if (!id.startsWith(prefix)) return null;
      const name = id.slice(prefix.length);
      const used = late[name] ?? [];
      const text = JSON.stringify(await packageText(name, used));
      const calls = used.map(
        (each) => `export function ${each}(...given) { const it = all().${each}; return new.target ? new it(...given) : it(...given); }`,
      );
      return `import { evaluateGlobally } from ${JSON.stringify(`${own}natives.ts`)};
let made;
const all = () => (made ??= evaluateGlobally(${text}));
${calls.join("\n")}
export default { ${used.join(", ")} };`;
    },
  };
}

/** The text of an expression: an object with the exports that are used of a package. */
async function packageText(name: string, used: readonly string[]): Promise<string> {
  const entry = "\0entry";
  const { code } = await buildOneScript(name, {
    ...insideConfig,
    plugins: [
      {
        name: "late-package",
        resolveId: (source) => (source === entry ? entry : null),
        load: (id) => (id === entry ? `export { ${used.join(", ")} } from ${JSON.stringify(name)};` : null),
      },
    ],
    build: {
      target: version,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict", output: { format: "iife", name: "all", keepNames: true } },
    },
  });
  return `(() => { ${code}\nreturn all; })()`;
}

/**
 * The module `virtual:node-process`: the address of the script for each process of a dialog's frame, which is `frame/process/main.ts` with all of
 * `node/inside`. The worker of a frame without an origin gets it as text. So it is an asset, and not part of the program's module graph.
 */
export const nodeProcess = (): Plugin => scriptAsset("node-process", file, writeNodeProcess);

export async function writeNodeProcess(target: string): Promise<void> {
  const chunk = await buildOneScript("frame/process", {
    ...insideConfig,
    plugins: [
      insidePackages(),
      latePackages(),
      {
        name: "node-process-modules",
        enforce: "pre",
        async resolveId(source, importer, options) {
          if (!source.startsWith(".")) return null;
          const found = await this.resolve(source, importer, { ...options, skipSelf: true });
          return (found && replaced.get(found.id)) ?? found;
        },
      },
      {
        name: "node-process-natives",
        enforce: "post",
        transform(code, module) {
          // The modules of the process import their natives explicitly. In the inside and its packages, these names mean Node's versions.
          if (module.startsWith(own) || module.startsWith(inside) || !module.endsWith(".ts")) return null;
          const used = natives.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
          return used.length === 0 ? null : `import { ${used.join(", ")} } from ${JSON.stringify(`${own}natives.ts`)};\n${code}`;
        },
      },
    ],
    build: {
      target: version,
      rolldownOptions: { input: `${own}main.ts`, output: { format: "iife", codeSplitting: false, keepNames: true } },
    },
  });
  writeAsset(target, chunk.code);
}
