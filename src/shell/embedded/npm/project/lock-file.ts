import { NpmError } from "../failure.ts";
import { isRecord, readManifest, textOf } from "../manifest.ts";
import { PackageNode } from "../tree/node.ts";
import { type JsonFile, jsonText, sortedKeys } from "./json-file.ts";

/** A package's entry in a lock file, listed under its folder. */
export type LockEntry = Readonly<Record<string, unknown>>;

export type LockEntries = ReadonlyMap<string, LockEntry>;

const keyOrder = ["name", "version", "lockfileVersion", "resolved", "integrity", "requires", "packages", "dependencies"];

const manifestKeys = [
  "version",
  "dependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "optionalDependencies",
  "bundleDependencies",
  "acceptDependencies",
  "funding",
  "engines",
  "os",
  "cpu",
  "libc",
  "license",
  "hasInstallScript",
  "bin",
  "deprecated",
];

/** Reads the packages of a lock file of version 2 or 3. */
export function readLock(file: JsonFile): LockEntries {
  const { packages, lockfileVersion } = file.value;
  if (!isRecord(packages)) {
    throw new NpmError("EOLDLOCK", [
      `${file.path} has lockfileVersion ${String(lockfileVersion)}; only versions 2 and 3 can be read here.`,
      "Remove it and run npm install to make a new one.",
    ]);
  }
  const entries = new Map<string, LockEntry>();
  for (const [location, entry] of Object.entries(packages)) {
    if (!isRecord(entry)) throw new NpmError("EINVALIDLOCK", `${file.path}: "${location}" is no package`);
    if (location !== "" && !isLocation(location)) throw new NpmError("EINVALIDLOCK", notAPackage(file.path, location));
    if (entry["link"] === true) throw new NpmError("EINVALIDLOCK", `${file.path}: "${location}" is a link, and there are no links here`);
    entries.set(location, entry);
  }
  return entries;
}

function notAPackage(path: string, location: string): string {
  return location.includes("..") || location.startsWith("/")
    ? `${path}: "${location}" is outside node_modules`
    : `${path}: "${location}" is a workspace, and workspaces are not supported here`;
}

/** Accepts only paths such as `node_modules/a/node_modules/@b/c`, so that a lock file can't name a folder outside. */
export function isLocation(location: string): boolean {
  return /^(?:node_modules\/(?:@[^/\\@][^/\\]*\/)?(?!\.)[^/\\@][^/\\]*(?:\/(?=.)|$))+$/.test(location) && !location.endsWith("/");
}

export function nameAt(location: string): string {
  return location.slice(location.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** Adds the packages that a lock file or node_modules lists below the project. */
export function addEntries(root: PackageNode, entries: LockEntries, ignorePeers: boolean): void {
  const nodes = new Map([["", root]]);
  for (const [location, entry] of [...entries].toSorted(([a], [b]) => depthOf(a) - depthOf(b) || a.localeCompare(b, "en"))) {
    if (location === "") continue;
    const above = location.slice(0, location.lastIndexOf("node_modules/")).replace(/\/$/, "");
    const parent = nodes.get(above);
    // A package whose parent folder is not listed can't exist either.
    if (parent === undefined) continue;
    const name = nameAt(location);
    const pkg = readManifest({ name, ...entry });
    const node = new PackageNode(
      { name, pkg, resolved: textOf(entry["resolved"]) ?? null, integrity: textOf(entry["integrity"]) ?? null, ignorePeers },
      parent,
    );
    node.inBundle = entry["inBundle"] === true;
    nodes.set(location, node);
  }
}

const depthOf = (location: string): number => location.split("node_modules/").length;

/** Adds the packages that are bundled in another one below it. */
export function addBundled(node: PackageNode, paths: Iterable<string>, manifestAt: (path: string) => unknown): void {
  const nodes = new Map([["", node]]);
  const inside = [...paths].filter((path) => path.endsWith("/package.json") && isLocation(path.slice(0, -"/package.json".length)));
  for (const path of inside.toSorted((a, b) => depthOf(a) - depthOf(b) || a.localeCompare(b, "en"))) {
    const location = path.slice(0, -"/package.json".length);
    const parent = nodes.get(location.slice(0, location.lastIndexOf("node_modules/")).replace(/\/$/, ""));
    if (parent === undefined) continue;
    const name = nameAt(location);
    const own = readManifest(manifestAt(path));
    const kid = new PackageNode({ name, pkg: { ...own, name: own.name ?? name }, ignorePeers: true }, parent);
    kid.inBundle = true;
    nodes.set(location, kid);
  }
}

/** The text of a tree's lock file. */
export function lockText(root: PackageNode, layout: Pick<JsonFile, "indent" | "newline">, projectName: string): string {
  const packages = Object.fromEntries(
    root
      .descendants()
      .filter((node) => node === root || !node.inert || node.version !== "")
      .map((node) => [node.location, entryOf(node)] as const)
      .toSorted(([a], [b]) => a.localeCompare(b, "en")),
  );
  const name = root.pkg.name ?? projectName;
  const version = root.pkg.version === undefined ? {} : { version: root.pkg.version };
  const value = { name, ...version, lockfileVersion: 3, requires: true, packages };
  return jsonText(sortedKeys(value, keyOrder), layout);
}

/** npm's own list of installed packages in node_modules. */
export function hiddenLockText(root: PackageNode, projectName: string): string {
  const packages = Object.fromEntries(
    root
      .descendants()
      .filter((node) => node !== root && !node.inert)
      .map((node) => [node.location, entryOf(node)] as const),
  );
  const name = root.pkg.name ?? projectName;
  const version = root.pkg.version === undefined ? {} : { version: root.pkg.version };
  return jsonText(sortedKeys({ name, ...version, lockfileVersion: 3, requires: true, packages }, keyOrder), {
    indent: "  ",
    newline: "\n",
  });
}

function entryOf(node: PackageNode): LockEntry {
  const { pkg, parent } = node;
  const entry: Record<string, unknown> = {};
  const given: Record<string, unknown> = {
    ...pkg.raw,
    dependencies: pkg.dependencies,
    optionalDependencies: pkg.optionalDependencies,
    peerDependencies: pkg.peerDependencies,
    bundleDependencies: pkg.bundled,
    bin: pkg.bin,
    hasInstallScript: pkg.hasInstallScript,
    license: licenseOf(pkg.raw["license"]),
    funding: fundingOf(pkg.raw["funding"]),
  };
  for (const key of manifestKeys) {
    const value = given[key];
    const empty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    if (value !== undefined && value !== null && value !== false && value !== "" && !empty) entry[key] = value;
  }
  if (pkg.name !== undefined && (parent === null || pkg.name !== node.name)) entry["name"] = pkg.name;
  if (parent === null && Object.keys(pkg.devDependencies).length > 0) entry["devDependencies"] = pkg.devDependencies;
  if (node.integrity !== null) entry["integrity"] = node.integrity;
  if (node.inBundle) entry["inBundle"] = true;
  if (node.resolved !== null) entry["resolved"] = node.resolved;
  if (node.extraneous) entry["extraneous"] = true;
  else {
    if (node.peer) entry["peer"] = true;
    if (node.dev) entry["dev"] = true;
    if (node.optional) entry["optional"] = true;
    if (node.devOptional && !node.dev && !node.optional) entry["devOptional"] = true;
  }
  return entry;
}

function licenseOf(value: unknown): unknown {
  return isRecord(value) && typeof value["type"] === "string" ? value["type"] : value;
}

function fundingOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => fundingOf(each));
  return typeof value === "string" ? { url: value } : value;
}
