import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

const folder = join(import.meta.dirname, "../.cache/layers");

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The compiler's error codes for a module in that layer. */
function compile(layer: string, name: string, code: string): string[] {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "probe.ts"), code);
  writeFileSync(
    join(own, "tsconfig.json"),
    JSON.stringify({
      extends: `../../../src/${layer}/tsconfig.json`,
      compilerOptions: { rootDir: "../../..", outDir: "out", tsBuildInfoFile: "out/info", noEmit: true },
      include: ["probe.ts"],
      exclude: [],
      references: [],
    }),
  );
  const { stdout } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", own], { encoding: "utf8" });
  return [...new Set([...stdout.matchAll(/error (TS\d+)/g)].map((match) => match[1] ?? ""))];
}

const up = "../../../src";

test.each([
  ["fs", "document.title", ["TS2584"]],
  ["fs", "window.open()", ["TS2304"]],
  ["fs", `import "${up}/protocol/limits.ts"`, ["TS6307"]],
  ["dialog", "fetch('/')", ["TS2304"]],
  ["dialog", `import "${up}/protocol/limits.ts"`, ["TS6307"]],
  ["protocol", "document.title", ["TS2584"]],
  ["protocol", `import "${up}/shell/sandbox.ts"`, ["TS6307"]],
  ["shell", "document.title", ["TS2584"]],
  ["shell", `import "${up}/engine/slices.ts"`, ["TS6307"]],
  ["engine", "document.title", ["TS2584"]],
  ["engine", "localStorage.clear()", ["TS2304"]],
  ["engine", `import "${up}/app/ui/format.ts"`, ["TS6307"]],
  ["sw", "document.title", ["TS2584"]],
  ["sw", "localStorage.clear()", ["TS2304"]],
  ["dialog", "export const one = 1", []],
  ["engine", "export const port = new MessageChannel().port1", []],
])("in %s, %s gives %j", (layer, code, errors) => {
  expect(compile(layer, `${layer}-${code}`.replaceAll(/\W+/g, "-"), `${code};\nexport {};\n`)).toEqual(errors);
});
