import { NpmError } from "../failure.ts";
import { type Manifest, readManifest } from "../manifest.ts";
import type { Npm } from "../npm.ts";
import { readActual } from "../project/actual.ts";
import { type JsonFile, readJson } from "../project/json-file.ts";
import { addEntries, type LockEntries, readLock } from "../project/lock-file.ts";
import { buildTree } from "../tree/build.ts";
import { markFlags } from "../tree/flags.ts";
import { PackageNode } from "../tree/node.ts";
import { readOverrides } from "../tree/overrides.ts";
import type { Conflict } from "../tree/place.ts";
import { optionalSet } from "../tree/sets.ts";
import { explainConflict } from "./explain.ts";
import { checkPlatforms } from "./platform.ts";

export interface IdealOptions {
  /** The future content of package.json. */
  readonly pkg: Readonly<Record<string, unknown>>;
  readonly explicit: ReadonlySet<string>;
  readonly updateNames: ReadonlySet<string>;
  /** What the tree starts from. `nothing`: everything is looked up again. */
  readonly start: "lock" | "nothing";
  /** Look up licenses as well; otherwise they come from the packages themselves. */
  readonly full: boolean;
}

export interface Ideal {
  readonly root: PackageNode;
  readonly lock: JsonFile | null;
}

/** The lock file; null if there is none. */
export function findLock(npm: Npm): JsonFile | null {
  const { files } = npm.host;
  return readJson(files, `${npm.prefix}/npm-shrinkwrap.json`) ?? readJson(files, `${npm.prefix}/package-lock.json`);
}

export function projectNode(npm: Npm, pkg: Manifest): PackageNode {
  if (pkg.raw["workspaces"] !== undefined)
    throw new NpmError(null, "package.json has workspaces, and they are not supported here, because there are no links.");
  const ignorePeers = npm.config.flag("legacy-peer-deps");
  const root = new PackageNode({
    name: pkg.name ?? projectName(npm),
    pkg,
    dev: true,
    ignorePeers,
    overrides: readOverrides(pkg.raw["overrides"]),
  });
  for (const edge of root.edgesOut.values()) {
    if (edge.spec !== edge.rawSpec && edge.overrides?.value.startsWith("$") !== true)
      throw new NpmError("EOVERRIDE", `Override for ${edge.name}@${edge.rawSpec} conflicts with direct dependency`);
  }
  return root;
}

export const projectName = (npm: Npm): string => npm.prefix.split("/").at(-1) ?? "";

/** Computes the ideal tree. Writes nothing. */
export async function idealTree(npm: Npm, { pkg, explicit, updateNames, start, full }: IdealOptions): Promise<Ideal> {
  const { config, host } = npm;
  const root = projectNode(npm, readManifest(pkg));
  const lock = config.flag("package-lock") ? findLock(npm) : null;
  const ignorePeers = config.flag("legacy-peer-deps");
  if (start === "lock") addEntries(root, startEntries(npm, lock), ignorePeers);
  let asked = 0;
  let known = 0;
  await buildTree(root, {
    ignorePeers,
    explicit,
    updateNames,
    force: config.flag("force"),
    strictPeers: config.flag("strict-peer-deps"),
    preferDedupe: config.flag("prefer-dedupe"),
    checkpoint: () => npm.checkpoint(),
    async find(spec) {
      asked++;
      const found = await npm.registry.find(spec, full);
      known++;
      host.show({ stream: "progress", text: `npm: looked up ${known} of ${asked} packages` });
      return found;
    },
    warn: (conflict) => {
      npm.warn("ERESOLVE overriding peer dependency");
      for (const line of explainConflict(root, conflict)) npm.warn(`ERESOLVE ${line}`.trimEnd());
    },
    failPeers: (conflict, message) => failPeers(root, conflict, message),
  });
  finish(npm, root);
  return { root, lock };
}

function startEntries(npm: Npm, lock: JsonFile | null): LockEntries {
  return lock === null ? readActual(npm.host.files, npm.prefix) : readLock(lock);
}

/** Marks which packages are needed and for what, and removes the others. */
function finish(npm: Npm, root: PackageNode): void {
  markFlags(root);
  for (const node of root.descendants()) if (node.extraneous && node.parent !== null && !node.inBundle) node.detach();
  for (const node of root.descendants()) {
    if (node.error === null) continue;
    if (!node.optional) throw requiredBy(root, node, node.error);
    for (const each of optionalSet(node)) each.inert = true;
  }
  checkPlatforms(root, { force: npm.config.flag("force"), strict: npm.config.flag("engine-strict") }, (line) => npm.warn(line));
  // If peers conflict below the project, npm's placement sometimes loses packages, and npm does not report it.
  for (const node of root.descendants()) {
    if (node.inert || node.inBundle) continue;
    for (const { name, spec, to, optional } of node.edgesOut.values()) {
      if (to === null && !optional && !node.pkg.bundled.includes(name))
        npm.warn(
          `unmet ${node.name}@${node.version} needs ${name}@${spec}, which is not installed, because its peers contradict each other`,
        );
    }
  }
}

/** npm's message for a package that the registry does not have. */
function requiredBy(root: PackageNode, node: PackageNode, error: NpmError): NpmError {
  const [edge] = node.edgesIn;
  const from = edge === undefined || edge.from === root ? "" : ` (needed by ${edge.from.name}@${edge.from.version})`;
  if (error.code !== "E404")
    return from === "" ? error : new NpmError(error.code, [...error.lines, `It is needed by ${edge?.from.name}@${edge?.from.version}.`]);
  const wanted = `${edge?.parsed.name ?? node.name}@${edge?.spec || "*"}`;
  return notFound(error, wanted, from);
}

export function notFound(error: NpmError, wanted: string, from = ""): NpmError {
  return new NpmError("E404", [
    `404 Not Found - GET ${/\S+$/.exec(error.lines[0] ?? "")?.[0] ?? ""} - Not found`,
    "404",
    `404  The requested resource '${wanted}' could not be found or you do not have permission to access it.${from}`,
    "404",
    "404 Note that packages can only be installed from the registry here.",
  ]);
}

function failPeers(root: PackageNode, conflict: Conflict, message: string): never {
  throw new NpmError("ERESOLVE", [
    `ERESOLVE ${message}`,
    "",
    ...explainConflict(root, conflict),
    "",
    "Fix the upstream dependency conflict, or retry",
    "this command with --force or --legacy-peer-deps",
    "to accept an incorrect (and potentially broken) dependency resolution.",
  ]);
}
