import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compare } from "semver";
import { beforeAll, expect, test } from "vitest";
import { isLong } from "../../long.ts";
import { testAssets } from "../assets.ts";
import { npmMachine, type NpmMachine } from "./machine.ts";
import { type RealPackage, realPackages } from "./packages.ts";
import { fromNodeModules, type StandInPackage, standIn } from "./stand-in.ts";

const modules = join(import.meta.dirname, "../../../node_modules");

/** Collects a package of node_modules and all its dependencies, resolved as Node would. */
function withDependencies(name: string, where: string, found: Map<string, StandInPackage>): void {
  const one = name === "typescript" ? typescript(where) : fromNodeModules(where);
  const key = `${name}@${one.manifest.version}`;
  if (found.has(key)) return;
  found.set(key, { ...one, manifest: { ...one.manifest, name, scripts: undefined, devDependencies: undefined } });
  const { dependencies } = one.manifest;
  for (const each of typeof dependencies === "object" && dependencies !== null ? Object.keys(dependencies) : []) {
    // The nearest folder upwards that has the package.
    let folder: string | null = where;
    while (folder !== null && !existsSync(join(modules, folder, "node_modules", each))) {
      const above = folder.lastIndexOf("/node_modules/");
      folder = above < 0 ? null : folder.slice(0, above);
    }
    withDependencies(each, folder === null ? each : `${folder}/node_modules/${each}`, found);
  }
}

/** The compiler under its own name, without its editor server, its duplicate and the translations, which aren't used here. */
function typescript(where: string): StandInPackage {
  const { manifest, files } = fromNodeModules(where);
  const kept = (path: string): boolean => /^typescript\/lib\/(?:_?tsc\.js|lib\.[^/]*\.d\.ts|lib\.d\.ts)$/.test(path);
  return {
    manifest: { name: "typescript", version: manifest.version, bin: { tsc: "./bin/tsc" } },
    files: () => ({
      "bin/tsc": "#!/usr/bin/env node\nrequire('../lib/tsc.js')\n",
      ...Object.fromEntries(
        Object.entries(files())
          .filter(([path]) => kept(path))
          .map(([path, bytes]) => [path.slice("typescript/".length), bytes]),
      ),
    }),
  };
}

/** The compiler is by far the largest package and needs nothing special, so it runs only in the long tests. */
const tried = isLong ? realPackages : realPackages.filter(({ name }) => name !== "typescript");

let m: NpmMachine;
let installed: { readonly stdout: string; readonly stderr: string; readonly exitCode: number };

beforeAll(async () => {
  const registry = standIn();
  const found = new Map<string, StandInPackage>();
  for (const { name, where = name } of tried) withDependencies(name, where, found);
  // The last version added is the latest, which is what an install without a version gets.
  registry.add(...[...found.values()].toSorted((a, b) => compare(a.manifest.version, b.manifest.version)));
  m = npmMachine(registry, { asset: (name) => testAssets(name, () => undefined) });
  m.put({ "package.json": { name: "p", version: "1.0.0", type: "module", scripts: { test: "uvu --no-color tests" } } });
  for (const { files } of tried) if (files) m.put(files);
  installed = await m.run(`npm install ${[...new Set(tried.map(({ name }) => name))].join(" ")}`);
}, 120_000);

test("twenty real packages are installed, each file as it was", () => {
  expect([installed.exitCode, installed.stderr]).toEqual([0, ""]);
  expect(tried.length).toBeGreaterThanOrEqual(20);
  expect(m.read("node_modules/lodash/lodash.js")).toBe(readFileSync(join(modules, "lodash/lodash.js"), "utf8"));
});

test.each(tried)("$name runs", async ({ program, line, stdout }: RealPackage) => {
  if (program !== undefined) m.put({ "run.mjs": program });
  const done = await m.run(line ?? "node run.mjs");
  expect(done).toEqual({ stdout, stderr: "", exitCode: 0 });
});
