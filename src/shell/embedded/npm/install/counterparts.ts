import semver from "semver";
import type { Npm } from "../npm.ts";
import { type PackageFiles, unpackPackage } from "../registry/archive.ts";
import type { PackageNode } from "../tree/node.ts";

/** A package that is another one's WebAssembly. */
interface Counterpart {
  readonly name: string;
  /** What a package consists of when its native part is replaced. */
  readonly combine: (own: PackageFiles, wasm: PackageFiles) => PackageFiles;
}

/** What the package is called, who needs it and how it is imported stays its own. */
const replaceAll = (own: PackageFiles, wasm: PackageFiles): PackageFiles => {
  const files = new Map([...own, ...wasm]);
  const description = own.get("package.json");
  if (description !== undefined) files.set("package.json", description);
  return files;
};

/** The entry points of the package lead to `below`, where the other package lies. */
const leadTo = (below: string, entries: Readonly<Record<string, string>>) => (own: PackageFiles, wasm: PackageFiles) => {
  const files = new Map(own);
  for (const [path, bytes] of wasm) files.set(`${below}/${path}`, bytes);
  for (const [path, code] of Object.entries(entries)) files.set(path, new TextEncoder().encode(code));
  return files;
};

/** Packages whose native part exists as WebAssembly in a package of another name, with the same functions. Those that name theirs as optional need no line. */
const counterparts: Readonly<Record<string, Counterpart>> = {
  esbuild: { name: "esbuild-wasm", combine: replaceAll },
  rollup: { name: "@rollup/wasm-node", combine: replaceAll },
  lightningcss: {
    name: "lightningcss-wasm",
    combine: leadTo("wasm", { "node/index.js": 'module.exports = require("../wasm/wasm-node.cjs");\n' }),
  },
};

/**
 * The files of a package, with WebAssembly in place of what is native in it, and a line that says so. The lock file and package.json name the
 * package alone. Where there is none, or it can't be had, the package stays as it is.
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

/** Whether the package has parts for machines, and none of them is for this one. Older versions of some had no native part. */
function lacksNativePart(node: PackageNode): boolean {
  const { optionalDependencies } = node.pkg;
  return Object.keys(optionalDependencies).some((name) => {
    const pkg = node.edgesOut.get(name)?.to;
    return pkg !== undefined && pkg !== null && pkg.inert && pkg.pkg.cpu.length > 0;
  });
}

/** The same version; else the newest before it with the same major number, and the same minor one below 1.0. */
function closest(versions: readonly string[], wanted: string): string | null {
  if (versions.includes(wanted)) return wanted;
  const range = `${semver.major(wanted) === 0 ? `~${semver.major(wanted)}.${semver.minor(wanted)}.0` : `${semver.major(wanted)}`} <=${wanted}`;
  return semver.maxSatisfying(versions, range);
}

/** Whether the files have WebAssembly in place of what is native in the package. */
export const isReplaced = ({ packageName }: PackageNode, files: PackageFiles): boolean =>
  Object.hasOwn(counterparts, packageName) && [...files.keys()].some((path) => path.endsWith(".wasm"));
