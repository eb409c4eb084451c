import semver from "semver";
import type { NpmError } from "../failure.ts";
import type { Manifest, Names } from "../manifest.ts";
import { Edge, type EdgeType } from "./edge.ts";
import { furtherIn, type OverrideSet } from "./overrides.ts";
import { gatherDependencies } from "./sets.ts";

export interface NodeOptions {
  readonly name: string;
  readonly pkg: Manifest;
  readonly resolved?: string | null;
  readonly integrity?: string | null;
  /** Why the package could not be had. */
  readonly error?: NpmError | null;
  readonly overrides?: OverrideSet | null;
  /** The node whose dependencies a virtual root repeats, to find peers that fit together. */
  readonly source?: PackageNode | null;
  /** Its devDependencies count: the project itself. */
  readonly dev?: boolean;
  /** Peers are no one's matter: `--legacy-peer-deps`. */
  readonly ignorePeers?: boolean;
}

/**
 * A package in a tree of node_modules folders, the project at the top. This tree and what is done to it follow npm's arborist, so that the
 * same package.json gives the same tree.
 */
export class PackageNode {
  readonly name: string;
  readonly options: NodeOptions;
  readonly source: PackageNode | null;
  readonly error: NpmError | null;
  resolved: string | null;
  integrity: string | null;
  pkg: Manifest;
  overrides: OverrideSet | null;
  parent: PackageNode | null = null;
  readonly children = new Map<string, PackageNode>();
  readonly edgesIn = new Set<Edge>();
  readonly edgesOut = new Map<string, Edge>();
  // What is left true when every way from the project to the package was followed; see flags.ts.
  dev = true;
  optional = true;
  devOptional = true;
  peer = true;
  extraneous = true;
  /** It stands in the lock file and is not installed here, because it is optional and does not run here. */
  inert = false;
  /** It comes inside another package. */
  inBundle = false;

  constructor(options: NodeOptions, parent: PackageNode | null = null) {
    this.options = options;
    this.name = options.name;
    this.pkg = options.pkg;
    this.source = options.source ?? null;
    this.error = options.error ?? null;
    this.resolved = options.resolved ?? null;
    this.integrity = options.integrity ?? null;
    this.overrides = options.overrides ?? null;
    if (parent !== null) this.moveTo(parent);
    this.#loadEdges();
  }

  #loadEdges(): void {
    const { pkg, options } = this;
    const add = (names: Names, type: (name: string) => EdgeType): void => {
      for (const [name, spec] of Object.entries(names)) Edge.load(this, name, spec, type(name));
    };
    if (options.ignorePeers !== true) {
      const required = Object.entries(pkg.peerDependencies).filter(([name]) => !pkg.optionalPeers.has(name));
      const optional = Object.entries(pkg.peerDependencies).filter(([name]) => pkg.optionalPeers.has(name));
      add(Object.fromEntries(required), () => "peer");
      add(Object.fromEntries(optional), () => "peerOptional");
    }
    add(pkg.dependencies, () => "prod");
    add(pkg.optionalDependencies, () => "optional");
    if (options.dev === true) add(pkg.devDependencies, () => "dev");
  }

  get packageName(): string {
    return this.pkg.name ?? this.name;
  }

  get version(): string {
    return this.pkg.version ?? "";
  }

  get root(): PackageNode {
    return this.parent?.root ?? this;
  }

  get isTop(): boolean {
    return this.parent === null;
  }

  get depth(): number {
    return this.parent === null ? 0 : this.parent.depth + 1;
  }

  /** `node_modules/a/node_modules/b`; "" for the top. */
  get location(): string {
    if (this.parent === null) return "";
    const above = this.parent.location;
    return `${above === "" ? "" : `${above}/`}node_modules/${this.name}`;
  }

  /** Itself, then upwards. */
  *ancestry(): Generator<PackageNode> {
    yield this;
    if (this.parent !== null) yield* this.parent.ancestry();
  }

  /** Itself and all below, as they were when asked for. */
  descendants(): PackageNode[] {
    return [this, ...[...this.children.values()].flatMap((child) => child.descendants())];
  }

  isDescendantOf(node: PackageNode): boolean {
    for (const each of this.ancestry()) if (each === node) return true;
    return false;
  }

  /** The package that Node would find from here. */
  resolve(name: string): PackageNode | null {
    return this.children.get(name) ?? this.parent?.resolve(name) ?? null;
  }

  satisfies(edge: Edge): boolean {
    return edge.satisfiedBy(this);
  }

  /** Whether it is the same package, of the same version. */
  matches(node: PackageNode): boolean {
    if (node === this) return true;
    if (node.name !== this.name) return false;
    if (this.integrity !== null && node.integrity !== null) return this.integrity === node.integrity;
    if (this.resolved !== null && node.resolved !== null) return this.resolved === node.resolved;
    return this.packageName === node.packageName && this.version !== "" && this.version === node.version;
  }

  /** Takes it out of its tree, with all below it. */
  detach(): void {
    const { parent } = this;
    if (parent === null) return;
    this.parent = null;
    parent.children.delete(this.name);
    parent.#reloadNamed(this.name);
    this.#reloadFamily();
  }

  /** Puts it into a folder, in place of what has its name there. */
  moveTo(parent: PackageNode): void {
    if (this.parent === parent) return;
    this.detach();
    parent.children.get(this.name)?.detach();
    this.parent = parent;
    parent.children.set(this.name, this);
    parent.#reloadNamed(this.name);
    this.#reloadFamily();
  }

  /** Takes another's place, and what is in its folder. */
  replace(node: PackageNode): void {
    const { parent } = node;
    if (parent === null) return;
    const kids = [...node.children.values()];
    for (const kid of kids) kid.detach();
    this.moveTo(parent);
    for (const kid of kids) kid.moveTo(this);
  }

  #reloadNamed(name: string): void {
    const edge = this.edgesOut.get(name);
    if (edge) edge.reload(true);
    for (const child of this.children.values()) child.#reloadNamed(name);
  }

  #reloadFamily(): void {
    for (const node of this.descendants()) {
      for (const edge of node.edgesOut.values()) edge.reload(true);
      for (const edge of Array.from(node.edgesIn)) edge.reload(true);
    }
  }

  takeOverrides(rules: OverrideSet | null): void {
    if (rules === null || rules === this.overrides) return;
    const next = this.overrides === null ? rules : furtherIn(this.overrides, rules);
    if (next === null || next === this.overrides) return;
    this.overrides = next;
    for (const edge of this.edgesOut.values()) edge.reload(true);
  }

  /** Whether everybody who uses `node` could use this one. */
  canReplace(node: PackageNode, ignoredPeers: Iterable<string> = []): boolean {
    if (node.name !== this.name || node.packageName !== this.packageName) return false;
    if (node.edgesOut.size > 0 && node.overrides !== this.overrides) return false;
    const ignored = new Set(ignoredPeers);
    const own = gatherDependencies([node], (edge) => edge.to !== node && edge.valid);
    for (const edge of node.edgesIn) {
      if (!node.isTop && edge.from.parent === node.parent && edge.peer && ignored.has(edge.from.name)) continue;
      if (!own.has(edge.from) && !edge.satisfiedBy(this)) return false;
    }
    return true;
  }

  /** Whether a package further up does as well. */
  canDedupe(preferDedupe: boolean, explicitRequest: boolean): boolean {
    if (this.inBundle) return false;
    const above = this.parent?.parent;
    if (!above) return false;
    if (this.edgesIn.size === 0) return true;
    const other = above.resolve(this.name);
    if (other === null) return false;
    if (other.matches(this)) return true;
    if (!other.canReplace(this)) return false;
    return preferDedupe || explicitRequest || semver.gte(other.version, this.version, true);
  }
}
