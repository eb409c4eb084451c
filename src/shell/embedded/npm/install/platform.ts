import { standIns } from "../../node/modules/builtins.ts";
import { type Manifest, readManifest } from "../manifest.ts";
import type { PackageFiles } from "../registry/archive.ts";
import { enginesFit, nodeVersion, npmVersion } from "../registry/pick.ts";
import type { PackageNode } from "../tree/node.ts";
import { optionalSet } from "../tree/sets.ts";
import { NpmError } from "../failure.ts";

/** The machine that platform-specific packages are checked against: programs for a processor can't run here, but WebAssembly can. */
export const machine = { os: "linux", cpu: "wasm32", libc: "glibc" } as const;

function listed(value: string, list: readonly string[]): boolean {
  if (list.length === 0 || (list.length === 1 && list[0] === "any")) return true;
  const barred = list.filter((each) => each.startsWith("!"));
  return !barred.includes(`!${value}`) && (list.includes(value) || barred.length === list.length);
}

export function platformFits({ os, cpu, libc }: Pick<Manifest, "os" | "cpu" | "libc">): boolean {
  return listed(machine.os, os) && listed(machine.cpu, cpu) && listed(machine.libc, libc);
}

/** Skips optional packages that don't run here. A required package that doesn't run ends the install. */
export function checkPlatforms(
  root: PackageNode,
  { force, strict }: { readonly force: boolean; readonly strict: boolean },
  warn: (line: string) => void,
): void {
  for (const node of root.descendants()) {
    if (node === root) continue;
    const fits = platformFits(node.pkg);
    if (node.optional) {
      if (!fits || !enginesFit(node.pkg)) for (const each of optionalSet(node)) each.inert = true;
      continue;
    }
    if (!enginesFit(node.pkg)) {
      if (strict && !force)
        throw new NpmError("EBADENGINE", [
          `notsup Unsupported engine for ${node.packageName}@${node.version}: wanted: ${JSON.stringify(node.pkg.engines)} (current: ${JSON.stringify({ node: nodeVersion, npm: npmVersion })})`,
          `notsup Not compatible with your version of node/npm: ${node.packageName}@${node.version}`,
        ]);
      warn("EBADENGINE Unsupported engine {");
      warn(`EBADENGINE   package: '${node.packageName}@${node.version}',`);
      warn(`EBADENGINE   required: ${objectText(node.pkg.engines)},`);
      warn(`EBADENGINE   current: { node: 'v${nodeVersion}', npm: '${npmVersion}' }`);
      warn("EBADENGINE }");
    }
    if (!fits && !force) {
      const { os, cpu } = node.pkg;
      const wanted = JSON.stringify({ ...(os.length > 0 ? { os: os.join(",") } : {}), ...(cpu.length > 0 ? { cpu: cpu.join(",") } : {}) });
      throw new NpmError("EBADPLATFORM", [
        `notsup Unsupported platform for ${node.packageName}@${node.version}: wanted ${wanted} (current: ${JSON.stringify({ os: machine.os, cpu: machine.cpu })})`,
        "notsup It is a program for certain machines, and none can be run here.",
      ]);
    }
  }
}

function objectText(value: Readonly<Record<string, string>>): string {
  const fields = Object.entries(value).map(([key, each]) => `${key}: '${each}'`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** The processor-specific parts of a package, which were not installed here. */
function missingParts(node: PackageNode): string[] {
  const missing = Object.keys(node.pkg.optionalDependencies).filter((name) => node.edgesOut.get(name)?.to?.inert === true);
  return missing.filter((name) => {
    const pkg = node.edgesOut.get(name)?.to?.pkg;
    return pkg !== undefined && (pkg.cpu.length > 0 || pkg.libc.length > 0);
  });
}

const threads = "needs WASI and threads that share memory, which are not here";

/** The WebAssembly part that is installed in place of the processor-specific ones. */
function wasmPart(node: PackageNode): PackageNode | null {
  for (const name of Object.keys(node.pkg.optionalDependencies)) {
    const part = node.edgesOut.get(name)?.to ?? null;
    if (part !== null && /wasm/.test(name) && !part.inert) return part;
  }
  return null;
}

/** WebAssembly that napi-rs built for WASI starts threads before anything else. */
const needsThreads = ({ pkg }: PackageNode): boolean => Object.hasOwn(pkg.dependencies, "@napi-rs/wasm-runtime");

/** The advice for a program that only measures another one. */
const withoutIt = (name: string): string =>
  `run the command behind it by itself ('mocha' for '${name} mocha'); for coverage use istanbul's: jest --coverage, or vitest with @vitest/coverage-istanbul`;

/** Programs that can't fulfil their purpose here, and what to do instead. */
const useless: Readonly<Record<string, string>> = {
  tsx: "replaces the loader of modules, which can't be done here; use node, which runs TypeScript by itself",
  c8: `reads the coverage of V8, which can't be had here; ${withoutIt("c8")}`,
  nyc: `finds nothing covered here; ${withoutIt("nyc")}`,
};

/** Why the commands of a package do nothing, and what to use; null if they run. */
export function uselessBecause(node: PackageNode): string | null {
  const why = Object.hasOwn(useless, node.packageName) ? useless[node.packageName] : undefined;
  if (why !== undefined) return why;
  const other = insteadOf(node);
  return other === null ? null : `${other.why}; npm install ${other.name}`;
}

/** What to install in place of a package that can't run, and why; null if nothing is known. */
function insteadOf(node: PackageNode): { readonly name: string; readonly why: string } | null {
  switch (node.packageName) {
    case "typescript":
      return missingParts(node).length > 0 ? { name: "typescript@5", why: "is a native program, which can't be run here" } : null;
    case "rolldown": {
      const wasm = wasmPart(node);
      return wasm !== null && needsThreads(wasm) ? { name: "rollup", why: threads } : null;
    }
    case "vite": {
      const rolldown = node.edgesOut.get("rolldown")?.to ?? null;
      return rolldown !== null && insteadOf(rolldown) !== null ? { name: "vite@7", why: `bundles with rolldown, which ${threads}` } : null;
    }
    case "vitest": {
      const vite = node.edgesOut.get("vite")?.to ?? null;
      const other = vite === null ? null : insteadOf(vite);
      return vite === null || other === null ? null : { name: other.name, why: `runs over vite ${vite.version}, which ${other.why}` };
    }
    default:
      return null;
  }
}

/** Why a package or a part of it will not run here; null if no reason is known. */
export function nativeReason(node: PackageNode, files: PackageFiles): string | null {
  const names = [...files.keys()];
  if (names.includes("binding.gyp")) return "it is compiled at its installation (binding.gyp), and there is no compiler here";
  if (names.some((name) => name.endsWith(".node"))) return "it has native code (.node files), which can't be loaded here";
  if (names.some((name) => name.startsWith("prebuilds/"))) return "it has native code (prebuilds), which can't be loaded here";
  const other = insteadOf(node);
  const hint = other === null ? "" : `; install ${other.name} instead`;
  if (node.packageName === "vite" && other !== null) return `it ${other.why}${hint}`;
  const forMachines = missingParts(node);
  if (forMachines.length === 0 || forMachines.some((name) => standIns.has(name))) return null;
  const wasm = wasmPart(node);
  if (wasm !== null) return needsThreads(wasm) ? `its WebAssembly (${wasm.packageName}) ${threads}${hint}` : null;
  return `its native part (${forMachines[0]}${forMachines.length > 1 ? ` and ${forMachines.length - 1} more` : ""}) is not installed, because no program for a processor can run here${hint}`;
}

/** Whether npm would run scripts when it installs the package. */
export function hasInstallScript(files: PackageFiles, manifest: unknown): boolean {
  return readManifest(manifest).hasInstallScript || files.has("binding.gyp");
}
