import { parseSpec, type Spec, satisfiesSpec } from "../spec.ts";
import type { PackageNode } from "./node.ts";
import { type OverrideSet, ruleFor } from "./overrides.ts";

export type EdgeType = "prod" | "dev" | "optional" | "peer" | "peerOptional";

/** What stands between a package and a dependency: nothing is there, what is there does not fit, or a peer is where only the package itself sees it. */
type EdgeError = "missing" | "invalid" | "peer local" | "detached";

/** One dependency of a package in the tree; it knows which package of the tree answers it, and is told (`reload`) when that may have changed. */
export class Edge {
  readonly from: PackageNode;
  readonly name: string;
  readonly type: EdgeType;
  /** As package.json has it. */
  readonly rawSpec: string;
  to: PackageNode | null = null;
  overrides: OverrideSet | null = null;
  /** It can't be answered as it is and stays so: someone was warned. */
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

  /** Gives a package a dependency, in place of one of the same name. */
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

  /** What is asked for, overrides obeyed. */
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
    // A rule for some versions only leaves the others as they are.
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
