import semver from "semver";
import type { Npm } from "../npm.ts";
import { type PackageFiles, unpackPackage } from "../registry/archive.ts";
import type { PackageNode } from "../tree/node.ts";

/** A package that contains another package as WebAssembly. */
interface Counterpart {
  readonly name: string;
  /** Returns the files of a package whose native part is replaced. */
  readonly combine: (own: PackageFiles, wasm: PackageFiles) => PackageFiles;
}

/** Keeps the package's own package.json, so that its name, dependencies and entry points don't change. */
const replaceAll = (own: PackageFiles, wasm: PackageFiles): PackageFiles => {
  const files = new Map([...own, ...wasm]);
  const description = own.get("package.json");
  if (description !== undefined) files.set("package.json", description);
  return files;
};

/** Puts the other package below `below`, and points the package's entry points there. */
const leadTo = (below: string, entries: Readonly<Record<string, string>>) => (own: PackageFiles, wasm: PackageFiles) => {
  const files = new Map(own);
  for (const [path, bytes] of wasm) files.set(`${below}/${path}`, bytes);
  for (const [path, code] of Object.entries(entries)) files.set(path, new TextEncoder().encode(code));
  return files;
};

/**
 * Packages whose native part exists as WebAssembly in another package with the same functions. Packages that list theirs as an optional dependency
 * need no entry.
 */
const counterparts: Readonly<Record<string, Counterpart>> = {
  esbuild: { name: "esbuild-wasm", combine: replaceAll },
  rollup: { name: "@rollup/wasm-node", combine: replaceAll },
  lightningcss: {
    name: "lightningcss-wasm",
    combine: leadTo("wasm", { "node/index.js": 'module.exports = require("../wasm/wasm-node.cjs");\n' }),
  },
};

/**
 * The files of a package, with WebAssembly in place of its native part, and a message that says so. The lock file and package.json name only the
 * package itself. If there is no counterpart, or it isn't available, the package is unchanged.
 */
export async function withCounterpart(npm: Npm, node: PackageNode, own: PackageFiles): Promise<PackageFiles> {
  const counterpart = Object.hasOwn(counterparts, node.packageName) ? counterparts[node.packageName] : undefined;
  if (counterpart === undefined || !lacksNativePart(node)) return own;
  const id = `${node.packageName}@${node.version}`;
  const leave = (why: string): PackageFiles => {
    npm.warn(`wasm ${id}: ${counterpart.name}, which could run in its place here, can't be had: ${why}`);
    return own;
  };
  const known = await npm.registry.packument(counterpart.name, false);
  if (known instanceof Error) return leave(known.lines[0] ?? known.message);
  const version = closest([...known.versions.keys()], node.version);
  if (version === null) return leave("the registry has no version that is near enough");
  const found = await npm.registry.find({ type: "version", fetch: version, name: counterpart.name, alias: false }, false);
  if (found instanceof Error) return leave(found.lines[0] ?? found.message);
  if (found.resolved === null) return leave("the registry names no archive");
  const packed = await npm.registry.tarball(`${counterpart.name}@${version}`, found.resolved, found.integrity);
  if (packed instanceof Error) return leave(packed.lines[0] ?? packed.message);
  const wasm = await unpackPackage(`${counterpart.name}@${version}`, packed);
  if (wasm instanceof Error) return leave(wasm.lines[0] ?? wasm.message);
  npm.warn(
    `wasm ${id}: programs for a processor can't run here, so its files are those of ${counterpart.name}@${version}${version === node.version ? "" : ", the nearest version there is"}`,
  );
  return counterpart.combine(own, wasm);
}

/** Whether the package has parts for specific machines, and none for this one. Older versions of some packages had no native part. */
function lacksNativePart(node: PackageNode): boolean {
  const { optionalDependencies } = node.pkg;
  return Object.keys(optionalDependencies).some((name) => {
    const pkg = node.edgesOut.get(name)?.to;
    return pkg !== undefined && pkg !== null && pkg.inert && pkg.pkg.cpu.length > 0;
  });
}

/** The same version, or the newest earlier one with the same major version (below 1.0, also the same minor version). */
function closest(versions: readonly string[], wanted: string): string | null {
  if (versions.includes(wanted)) return wanted;
  const range = `${semver.major(wanted) === 0 ? `~${semver.major(wanted)}.${semver.minor(wanted)}.0` : `${semver.major(wanted)}`} <=${wanted}`;
  return semver.maxSatisfying(versions, range);
}

/** Whether the files contain WebAssembly in place of the package's native part. */
export const isReplaced = ({ packageName }: PackageNode, files: PackageFiles): boolean =>
  Object.hasOwn(counterparts, packageName) && [...files.keys()].some((path) => path.endsWith(".wasm"));
