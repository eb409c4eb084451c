import { NpmError } from "../failure.ts";
import { findLock, idealTree, type Ideal, notFound } from "../install/ideal.ts";
import { reify } from "../install/reify.ts";
import { addDependency, type DependencyList, type PackageJson, removeDependency, savedSpec, saveKind, sortLists } from "../install/save.ts";
import { readManifest } from "../manifest.ts";
import { emptyPackage, needPackage, type Npm, readPackage } from "../npm.ts";
import { jsonText, type JsonFile } from "../project/json-file.ts";
import { readLock } from "../project/lock-file.ts";
import { parseSpec, splitSpec } from "../spec.ts";
import { runEvents } from "./run.ts";

const none: ReadonlySet<string> = new Set();

const full = (npm: Npm): boolean => npm.config.flag("package-lock-only");

/** `npm install`, with and without names. */
export async function install(npm: Npm): Promise<number> {
  const { operands } = npm.call;
  const own = readPackage(npm) ?? emptyPackage(npm);
  if (operands.length === 0) {
    const { root, lock } = await idealTree(npm, { pkg: own.value, explicit: none, updateNames: none, start: "lock", full: full(npm) });
    await reify(npm, { root, lock, clean: false, saveLock: npm.config.flag("save"), packageText: () => null });
    return ownScripts(npm, own);
  }
  const pkg: PackageJson = { ...own.value };
  const asked = new Map<string, Asked>();
  for (const given of operands) {
    const { name, spec } = await requested(npm, given);
    asked.set(name, { spec, kind: addDependency(pkg, name, spec, saveKind(npm)) });
  }
  const ideal = await idealTree(npm, { pkg, explicit: new Set(asked.keys()), updateNames: none, start: "lock", full: full(npm) });
  await save(npm, own, pkg, ideal, asked);
  return 0;
}

interface Asked {
  readonly spec: string;
  /** The list of package.json that it is added to. */
  readonly kind: DependencyList;
}

/** The name and the requested version; a tag becomes the version that it currently stands for. */
async function requested(npm: Npm, given: string): Promise<{ readonly name: string; readonly spec: string }> {
  const { name, spec } = splitSpec(given);
  if (name === null) {
    const parsed = parseSpec("package", given);
    const why = parsed.type === "refused" ? parsed.why.replace(/^package@[^:]*(?::[^ ]+)?: /, "") : `it is no package's name`;
    const code =
      parsed.type !== "refused" ? "EINVALIDPACKAGENAME" : parsed.why.startsWith("Invalid tag") ? "EINVALIDTAGNAME" : "EUNSUPPORTEDPROTOCOL";
    throw new NpmError(code, `${given}: ${why}`);
  }
  if (!/^(?:@[a-z0-9-*~][a-z0-9-*._~]*\/)?[a-zA-Z0-9-~][a-zA-Z0-9-._~]*$/.test(name))
    throw new NpmError(
      "EINVALIDPACKAGENAME",
      `Invalid package name "${name}" of package "${given}": name can only contain URL-friendly characters.`,
    );
  const parsed = parseSpec(name, spec);
  if (parsed.type === "refused")
    throw new NpmError(parsed.why.startsWith("Invalid tag") ? "EINVALIDTAGNAME" : "EUNSUPPORTEDPROTOCOL", parsed.why);
  if (parsed.type !== "tag") return { name, spec };
  const found = await npm.registry.find(parsed, false);
  if (found instanceof Error) throw found.code === "E404" ? notFound(found, given) : found;
  const version = found.pkg.version ?? "";
  return { name, spec: parsed.alias ? `npm:${parsed.name}@${version}` : version };
}

async function save(npm: Npm, own: JsonFile, pkg: PackageJson, ideal: Ideal, asked: ReadonlyMap<string, Asked>): Promise<void> {
  const saves = npm.config.flag("save");
  const { root, lock } = ideal;
  if (saves) {
    for (const [name, { spec, kind }] of asked) {
      const node = root.children.get(name);
      if (node === undefined || node.inert) continue;
      addDependency(pkg, name, savedSpec(npm, node, spec === "" ? currentSpec(pkg, name) : spec), kind);
    }
    sortLists(pkg);
  }
  root.pkg = readManifest(saves ? pkg : own.value);
  await reify(npm, {
    root,
    lock,
    clean: false,
    saveLock: saves,
    packageText: () => (saves ? { path: own.path, text: jsonText(pkg, own) } : null),
  });
}

function currentSpec(pkg: PackageJson, name: string): string {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = readManifest(pkg);
  return dependencies[name] ?? optionalDependencies[name] ?? devDependencies[name] ?? peerDependencies[name] ?? "";
}

/** Runs the project's own install scripts: they are its author's. */
async function ownScripts(npm: Npm, own: JsonFile): Promise<number> {
  if (npm.config.flag("ignore-scripts") || npm.config.flag("package-lock-only") || npm.config.flag("dry-run")) return 0;
  return runEvents(npm, own, ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"]);
}

export async function ci(npm: Npm): Promise<number> {
  const own = needPackage(npm);
  const lock = findLock(npm);
  if (lock === null) {
    throw new NpmError("EUSAGE", [
      "",
      "The `npm ci` command can only install with an existing package-lock.json or",
      "npm-shrinkwrap.json with lockfileVersion >= 1. Run an install with npm@5 or",
      "later to generate a package-lock.json file, then try again.",
      "",
      "Clean install a project",
      "",
      "Usage:",
      "npm ci",
    ]);
  }
  const locked = readLock(lock);
  const { root } = await idealTree(npm, { pkg: own.value, explicit: none, updateNames: none, start: "lock", full: false });
  const faults = root.descendants().flatMap((node) => {
    if (node === root) return [];
    const entry = locked.get(node.location);
    if (entry === undefined) return [`Missing: ${node.name}@${node.version} from lock file`];
    return entry["version"] === node.version
      ? []
      : [`Invalid: lock file's ${node.name}@${String(entry["version"])} does not satisfy ${node.name}@${node.version}`];
  });
  if (faults.length > 0) {
    throw new NpmError("EUSAGE", [
      "",
      "`npm ci` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync. Please update your lock file with `npm install` before continuing.",
      "",
      ...faults,
      "",
      "Clean install a project",
      "",
      "Usage:",
      "npm ci",
    ]);
  }
  await reify(npm, { root, lock, clean: true, saveLock: false, packageText: () => null });
  return ownScripts(npm, own);
}

export async function uninstall(npm: Npm): Promise<number> {
  const { operands } = npm.call;
  if (operands.length === 0)
    throw new NpmError("EUSAGE", ["", "Must provide a package name to remove", "", "Usage:", "npm uninstall [<@scope>/]<pkg>..."]);
  const own = needPackage(npm);
  const pkg: PackageJson = { ...own.value };
  for (const given of operands) removeDependency(pkg, splitSpec(given).name ?? given);
  const ideal = await idealTree(npm, { pkg, explicit: none, updateNames: none, start: "lock", full: full(npm) });
  const saves = npm.config.flag("save");
  if (saves && operands.some((name) => currentSpec({ ...own.value }, name) !== "")) sortLists(pkg);
  await reify(npm, {
    root: ideal.root,
    lock: ideal.lock,
    clean: false,
    saveLock: saves,
    packageText: () => (saves && JSON.stringify(pkg) !== JSON.stringify(own.value) ? { path: own.path, text: jsonText(pkg, own) } : null),
  });
  return 0;
}

export async function update(npm: Npm): Promise<number> {
  const { operands } = npm.call;
  const own = needPackage(npm);
  for (const name of operands) {
    if (splitSpec(name).name !== name)
      throw new NpmError("EUPDATEARGS", [
        `Update arguments must only contain package names, eg:`,
        `    npm update ${splitSpec(name).name ?? "name"}`,
      ]);
  }
  const { root, lock } = await idealTree(npm, {
    pkg: own.value,
    explicit: none,
    updateNames: new Set(operands),
    start: operands.length === 0 ? "nothing" : "lock",
    full: full(npm),
  });
  await reify(npm, { root, lock, clean: false, saveLock: true, packageText: () => null });
  return 0;
}

export async function prune(npm: Npm): Promise<number> {
  const own = needPackage(npm);
  const { root, lock } = await idealTree(npm, { pkg: own.value, explicit: none, updateNames: none, start: "lock", full: false });
  await reify(npm, { root, lock, clean: false, saveLock: true, packageText: () => null });
  return 0;
}
