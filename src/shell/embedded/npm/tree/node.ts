import semver from "semver";
import type { NpmError } from "../failure.ts";
import type { Manifest, Names } from "../manifest.ts";
import { parseSpec, type Spec, satisfiesSpec } from "../spec.ts";
import { furtherIn, type OverrideSet, ruleFor } from "./overrides.ts";

export interface NodeOptions {
  readonly name: string;
  readonly pkg: Manifest;
  readonly resolved?: string | null;
  readonly integrity?: string | null;
  /** Why the package could not be found. */
  readonly error?: NpmError | null;
  readonly overrides?: OverrideSet | null;
  /** The node whose dependencies a virtual root copies, to find compatible peers. */
  readonly source?: PackageNode | null;
  /** Its devDependencies count: it is the project itself. */
  readonly dev?: boolean;
  /** Ignore peers: `--legacy-peer-deps`. */
  readonly ignorePeers?: boolean;
}

/**
 * A package in a tree of node_modules folders, with the project at the top. The tree and its operations follow npm's arborist, so that the same
 * package.json gives the same tree.
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
  // These stay true unless a path from the project to the package clears them; see flags.ts.
  dev = true;
  optional = true;
  devOptional = true;
  peer = true;
  extraneous = true;
  /** The lock file lists it, but it is not installed here, because it is optional and does not run here. */
  inert = false;
  /** It is bundled in another package. */
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

  /** Its path, such as `node_modules/a/node_modules/b`; "" for the top. */
  get location(): string {
    if (this.parent === null) return "";
    const above = this.parent.location;
    return `${above === "" ? "" : `${above}/`}node_modules/${this.name}`;
  }

  /** Yields this node and its ancestors. */
  *ancestry(): Generator<PackageNode> {
    yield this;
    if (this.parent !== null) yield* this.parent.ancestry();
  }

  /** This node and all nodes below it, at the time of the call. */
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

  /** Whether it is the same package in the same version. */
  matches(node: PackageNode): boolean {
    if (node === this) return true;
    if (node.name !== this.name) return false;
    if (this.integrity !== null && node.integrity !== null) return this.integrity === node.integrity;
    if (this.resolved !== null && node.resolved !== null) return this.resolved === node.resolved;
    return this.packageName === node.packageName && this.version !== "" && this.version === node.version;
  }

  /** Removes it from its tree, with everything below it. */
  detach(): void {
    const { parent } = this;
    if (parent === null) return;
    this.parent = null;
    parent.children.delete(this.name);
    parent.#reloadNamed(this.name);
    this.#reloadFamily();
  }

  /** Moves it into a folder, and replaces the package of the same name there. */
  moveTo(parent: PackageNode): void {
    if (this.parent === parent) return;
    this.detach();
    parent.children.get(this.name)?.detach();
    this.parent = parent;
    parent.children.set(this.name, this);
    parent.#reloadNamed(this.name);
    this.#reloadFamily();
  }

  /** Takes another package's place, with the content of its folder. */
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

  /** Whether everything that uses `node` could use this package instead. */
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

  /** Whether a package further up serves as well. */
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

export type EdgeType = "prod" | "dev" | "optional" | "peer" | "peerOptional";

/** Why a dependency is not met: nothing is there, the package there does not fit, or a peer is where only the package itself sees it. */
type EdgeError = "missing" | "invalid" | "peer local" | "detached";

/** A dependency of a package in the tree. It knows the package that meets it, and `reload` updates it when that may have changed. */
export class Edge {
  readonly from: PackageNode;
  readonly name: string;
  readonly type: EdgeType;
  /** The spec in package.json. */
  readonly rawSpec: string;
  to: PackageNode | null = null;
  overrides: OverrideSet | null = null;
  /** It can't be met and stays that way: a warning was given. */
  peerConflicted = false;
  #error: EdgeError | "ok" | null = null;
  #detached = false;
  #parsed: { readonly text: string; readonly spec: Spec } | null = null;

  private constructor(from: PackageNode, name: string, rawSpec: string, type: EdgeType) {
    this.from = from;
    this.name = name;
    this.rawSpec = rawSpec;
    this.type = type;
  }

  /** Adds a dependency to a package, and replaces the one of the same name. */
  static load(from: PackageNode, name: string, rawSpec: string, type: EdgeType): void {
    from.edgesOut.get(name)?.detach();
    const edge = new Edge(from, name, rawSpec, type);
    from.edgesOut.set(name, edge);
    edge.reload(true);
  }

  get peer(): boolean {
    return this.type === "peer" || this.type === "peerOptional";
  }

  get optional(): boolean {
    return this.type === "optional" || this.type === "peerOptional";
  }

  /** The requested version after overrides. */
  get spec(): string {
    const { overrides } = this;
    if (overrides === null || overrides.name !== this.name || overrides.value === "*") return this.rawSpec;
    if (!overrides.value.startsWith("$")) return overrides.value;
    const { root } = this.from;
    const { pkg } = root.source?.root ?? root;
    const name = overrides.value.slice(1);
    return (
      pkg.devDependencies[name] ?? pkg.optionalDependencies[name] ?? pkg.dependencies[name] ?? pkg.peerDependencies[name] ?? this.rawSpec
    );
  }

  get parsed(): Spec {
    const text = this.spec;
    if (this.#parsed?.text !== text) this.#parsed = { text, spec: parseSpec(this.name, text) };
    return this.#parsed.spec;
  }

  get valid(): boolean {
    return this.error === null;
  }

  get error(): EdgeError | null {
    this.#error ??= this.#look();
    return this.#error === "ok" ? null : this.#error;
  }

  #look(): EdgeError | "ok" {
    if (this.#detached) return "detached";
    if (this.to === null) return this.optional ? "ok" : "missing";
    if (this.peer && this.from === this.to.parent && !this.from.isTop) return "peer local";
    return this.satisfiedBy(this.to) ? "ok" : "invalid";
  }

  satisfiedBy(node: PackageNode): boolean {
    if (node.name !== this.name) return false;
    if (satisfiesSpec(node, this.parsed)) return true;
    // An override for specific versions leaves the others unchanged.
    const { overrides } = this;
    if (overrides === null || overrides.name !== this.name || overrides.keySpec === "*") return false;
    return satisfiesSpec(node, parseSpec(this.name, this.rawSpec)) && !satisfiesSpec(node, parseSpec(this.name, overrides.keySpec));
  }

  reload(hard = false): void {
    if (this.#detached) return;
    const rules = this.from.overrides === null ? null : ruleFor(this.from.overrides, this.name, this.rawSpec);
    const ruled = rules !== this.overrides;
    this.overrides = rules;
    const to = this.from.resolve(this.name);
    if (to === this.to) {
      if (hard || ruled) this.#error = null;
      if (ruled) to?.takeOverrides(rules);
      return;
    }
    this.to?.edgesIn.delete(this);
    this.to = to;
    this.#error = null;
    if (to === null) return;
    to.takeOverrides(rules);
    to.edgesIn.add(this);
  }

  detach(): void {
    this.to?.edgesIn.delete(this);
    this.from.edgesOut.delete(this.name);
    this.to = null;
    this.#detached = true;
    this.#error = null;
  }
}

/** The given packages and their dependencies, except those that a package outside also needs. Only edges that `follow` accepts count. */
export function gatherDependencies(start: Iterable<PackageNode>, follow: (edge: Edge) => boolean): Set<PackageNode> {
  const found = new Set(start);
  for (const node of found) for (const edge of node.edgesOut.values()) if (edge.to !== null && follow(edge)) found.add(edge.to);
  for (let changed = true; changed && found.size > 0; ) {
    changed = false;
    for (const node of found) {
      for (const edge of node.edgesIn) {
        if (found.has(edge.from) || !follow(edge)) continue;
        changed = true;
        found.delete(node);
        break;
      }
    }
  }
  return found;
}
