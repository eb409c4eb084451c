import { basename, dirname } from "node:path";
import type { Plugin } from "vite";

/** The parts of a chunk that the plugin reads and changes. */
export interface EntryChunk {
  readonly type: "chunk";
  readonly fileName: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  code: string;
}

interface Moved {
  readonly fileName: string;
  readonly code: string;
}

/**
 * Moves the code of a worker's entry into a chunk of its own if other chunks import it. WebKit runs an entry a second time when a chunk imports
 * it, and the worker would have two of everything. The remaining entry only imports the moved code, which stays in the same folder.
 */
export function keepApart(chunks: readonly EntryChunk[]): Moved[] {
  const moved: Moved[] = [];
  for (const entry of chunks.filter(({ isEntry }) => isEntry)) {
    const importers = chunks.filter((each) => [...each.imports, ...each.dynamicImports].includes(entry.fileName));
    if (importers.length === 0) continue;
    const from = basename(entry.fileName);
    const to = `inner-${from}`;
    // A chunk may import itself.
    for (const each of new Set([...importers, entry])) each.code = withImport(each.code, from, to);
    moved.push({ fileName: `${dirname(entry.fileName)}/${to}`, code: entry.code });
    entry.code = `import "./${to}";\n`;
  }
  return moved;
}

function withImport(code: string, from: string, to: string): string {
  const name = from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return code.replaceAll(new RegExp(`(\\b(?:from|import)\\s*\\(?\\s*["'\`]\\.{1,2}/(?:[\\w-]+/)*)${name}(?=["'\`])`, "g"), `$1${to}`);
}

export function workerEntries(): Plugin {
  return {
    name: "worker-entries",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const chunks = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? [file] : []));
        for (const { fileName, code } of keepApart(chunks)) this.emitFile({ type: "asset", fileName, source: code });
      },
    },
  };
}
