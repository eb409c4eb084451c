import semver from "semver";
import { isRecord, namesOf } from "../manifest.ts";
import type { Npm } from "../npm.ts";
import { parseSpec } from "../spec.ts";
import type { PackageNode } from "../tree/node.ts";

/** The content of package.json while it is being changed. */
export type PackageJson = Record<string, unknown>;

const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;
export type DependencyList = (typeof kinds)[number];

/** The list that the command line selects; null: the list that already has the package, else `dependencies`. */
export function saveKind({ config }: Npm): DependencyList | null {
  if (config.flag("save-dev")) return "devDependencies";
  if (config.flag("save-optional")) return "optionalDependencies";
  if (config.flag("save-peer")) return "peerDependencies";
  return config.flag("save-prod") ? "dependencies" : null;
}

function kindOf(pkg: PackageJson, name: string): DependencyList {
  for (const kind of ["dependencies", "optionalDependencies", "devDependencies", "peerDependencies"] as const) {
    const list = pkg[kind];
    if (isRecord(list) && Object.hasOwn(list, name)) return kind;
  }
  return "dependencies";
}

/** Adds a package to a list. */
export function addDependency(pkg: PackageJson, name: string, spec: string, asked: DependencyList | null): DependencyList {
  const kind = asked ?? kindOf(pkg, name);
  for (const other of kinds) {
    const both = (kind === "devDependencies" && other !== "dependencies") || (kind === "peerDependencies" && other === "devDependencies");
    if (other !== kind && !both && !(kind === "optionalDependencies" && other === "devDependencies")) removeFrom(pkg, other, name);
  }
  const list = namesOf(pkg[kind]);
  if (spec !== "" || list[name] === undefined) pkg[kind] = { ...list, [name]: spec === "" ? "*" : spec };
  return kind;
}

export function removeDependency(pkg: PackageJson, name: string): void {
  for (const kind of kinds) removeFrom(pkg, kind, name);
  const meta = pkg["peerDependenciesMeta"];
  if (isRecord(meta) && Object.hasOwn(meta, name)) pkg["peerDependenciesMeta"] = without(meta, name);
}

function removeFrom(pkg: PackageJson, kind: DependencyList, name: string): void {
  const list = pkg[kind];
  if (!isRecord(list) || !Object.hasOwn(list, name)) return;
  const rest = without(list, name);
  if (Object.keys(rest).length > 0) pkg[kind] = rest;
  else delete pkg[kind];
}

function without(list: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(list).filter(([key]) => key !== name));
}

/** The range that npm saves for a package that was requested by name. */
export function savedSpec({ config }: Npm, node: PackageNode, asked: string): string {
  const spec = parseSpec(node.name, asked);
  const prefix = config.flag("save-exact") ? "" : (config.text("save-prefix") ?? "^");
  const range = `${prefix}${node.version}`;
  const keeps = spec.type === "range" && spec.fetch !== "*" && !semver.subset(range, spec.fetch, { loose: true });
  const saved = keeps ? spec.fetch : range;
  return spec.alias ? `npm:${spec.name}@${saved}` : saved;
}

/** Sorts changed lists by name, as npm does. */
export function sortLists(pkg: PackageJson): void {
  for (const kind of kinds) {
    const list = pkg[kind];
    if (isRecord(list)) pkg[kind] = Object.fromEntries(Object.entries(list).toSorted(([a], [b]) => a.localeCompare(b, "en")));
  }
}
