import type { NpmError } from "../failure.ts";
import { type Manifest, readManifest } from "../manifest.ts";
import type { Spec } from "../spec.ts";
import type { Edge } from "./node.ts";
import { PackageNode } from "./node.ts";
import { type Conflict, Place, type PlaceRules } from "./place.ts";

export interface Found {
  readonly pkg: Manifest;
  /** The archive's address. */
  readonly resolved: string | null;
  readonly integrity: string | null;
}

export interface BuildOptions extends Omit<PlaceRules, "fail"> {
  readonly ignorePeers: boolean;
  /** Names given on the command line; they are looked up again. */
  readonly explicit: ReadonlySet<string>;
  /** The best version for the spec, or why there is none. Never rejects. */
  find(spec: Spec): Promise<Found | NpmError>;
  /** Throws if the command must stop. */
  checkpoint(): void;
  failPeers(conflict: Conflict, message: string): never;
}

const compare = (a: string, b: string): number => a.localeCompare(b, "en");

/**
 * Completes a tree: looks up every unmet dependency and places it as npm does. Changes `root`. Packages that could not be found are in the tree with
 * their `error`.
 */
export async function buildTree(root: PackageNode, options: BuildOptions): Promise<void> {
  const queue = new Set<PackageNode>([root]);
  const seen = new Set<PackageNode>();
  const virtualRoots = new Map<PackageNode, PackageNode>();
  /** The package that brought in a set of peers; they are looked up in its context. */
  const peerSource = new WeakMap<PackageNode, PackageNode>();
  const { strictPeers, force, explicit, updateNames } = options;
  const rules: PlaceRules = { ...options, fail: (conflict) => options.failPeers(conflict, "could not resolve") };

  for (const node of root.descendants()) if ([...node.edgesOut.values()].some((edge) => edge.to === null || !edge.valid)) queue.add(node);
  for (const node of root.descendants()) if (updateNames.has(node.name)) for (const edge of node.edgesIn) queue.add(edge.from);

  for (let node = next(queue); node !== null; node = next(queue)) {
    if (seen.has(node) || node.root !== root) continue;
    seen.add(node);
    options.checkpoint();
    const tasks: { readonly edge: Edge; readonly dep: PackageNode }[] = [];
    for (const edge of problems(node)) {
      if (!edge.peerConflicted) tasks.push({ edge, dep: await find(node, edge) });
    }
    const ahead: PackageNode[] = [];
    for (const { edge, dep } of tasks.toSorted((a, b) => compare(a.edge.name, b.edge.name))) {
      visit(new Place({ ...rules, edge, dep, explicitRequest: isExplicit(edge) }), ahead);
    }
    await Promise.all(ahead.flatMap((placed) => problems(placed).map((edge) => options.find(edge.parsed))));
  }

  function isExplicit(edge: Edge): boolean {
    return edge.from === root && explicit.has(edge.name);
  }

  /** The dependencies of a package that must be looked up. */
  function problems(node: PackageNode): Edge[] {
    const bundled = new Set(node === root ? [] : node.pkg.bundled);
    return [...node.edgesOut.values()].filter((edge) => {
      if (bundled.has(edge.name) || (edge.to !== null && edge.to.error !== null)) return false;
      if (edge.to === null) return edge.type !== "peerOptional" || isExplicit(edge);
      return !edge.valid || updateNames.has(edge.name) || isExplicit(edge);
    });
  }

  async function find(node: PackageNode, edge: Edge): Promise<PackageNode> {
    const source = edge.peer ? (peerSource.get(node) ?? node) : node;
    const virtual = virtualRoot(source, true);
    const there = virtual.edgesOut.get(edge.name);
    if (there?.valid === true && there.to?.satisfies(edge) === true) return there.to;
    if (edge.type === "peerOptional" && !updateNames.has(edge.name) && !isExplicit(edge)) {
      const near = nearest(edge.from.parent ?? edge.from, edge);
      if (near !== null) return near;
    }
    return nodeFromEdge(edge, edge.peer ? virtual : null, null, new Set([edge.from]));
  }

  /** The nearest package below `start` that satisfies the dependency. */
  function nearest(start: PackageNode, edge: Edge): PackageNode | null {
    const waiting = [...start.children.values()];
    for (const node of waiting) {
      if (node.name === edge.name && !node.inBundle && node.satisfies(edge)) return node;
      waiting.push(...node.children.values());
    }
    return null;
  }

  function virtualRoot(source: PackageNode, reuse = false): PackageNode {
    const known = reuse ? virtualRoots.get(source) : undefined;
    if (known !== undefined) return known;
    const { name, pkg, overrides } = source;
    const made = new PackageNode({ name, pkg, overrides, source, dev: source === root, ignorePeers: options.ignorePeers });
    virtualRoots.set(source, made);
    return made;
  }

  async function nodeFromSpec(edge: Edge, parent: PackageNode): Promise<PackageNode> {
    const found = await options.find(edge.parsed);
    const { name } = edge;
    if (found instanceof Error) return new PackageNode({ name, pkg: readManifest({ name }), error: found }, parent);
    return new PackageNode({ ...found, name, ignorePeers: options.ignorePeers }, parent);
  }

  /**
   * The package for a dependency with all its peers. They are collected in a virtual root, a copy of the dependent package, in which they must be
   * compatible.
   */
  async function nodeFromEdge(
    edge: Edge,
    given: PackageNode | null,
    second: Edge | null,
    required: Set<PackageNode>,
  ): Promise<PackageNode> {
    const parent = given ?? virtualRoot(edge.from);
    const first = await nodeFromSpec(edge, parent);
    // Of two dependencies on the same peer, one may be broader than the other. Then the choice for the narrower one may satisfy both.
    const other = second !== null && !second.valid ? await nodeFromSpec(second, parent) : null;
    const node = other !== null && edge.valid ? other : first;
    node.moveTo(parent);
    if (
      (required.has(edge.from) && edge.type !== "peerOptional") ||
      (second !== null && required.has(second.from) && second.type !== "peerOptional")
    )
      required.add(node);
    if (parent.source !== null) peerSource.set(node, parent.source);
    return loadPeers(node, required);
  }

  async function loadPeers(node: PackageNode, required: Set<PackageNode>): Promise<PackageNode> {
    const peers = [...node.edgesOut.values()].filter((edge) => edge.peer && !(edge.valid && edge.to !== null));
    for (const edge of peers.toSorted((a, b) => compare(a.name, b.name))) {
      const { parent } = node;
      if (parent === null) break;
      if (edge.valid && edge.to !== null) continue;
      const parentEdge = parent.edgesOut.get(edge.name) ?? null;
      const conflictAllowed = force || (parent.source !== root && !strictPeers);
      if (edge.to === null) {
        if (parentEdge === null) {
          await nodeFromEdge(edge, parent, null, required);
          continue;
        }
        const dep = await nodeFromEdge(parentEdge, parent, edge, required);
        if (edge.valid) continue;
        if (conflictAllowed || !required.has(dep)) {
          edge.peerConflicted = true;
          continue;
        }
        if (node.parent === null) break;
        failPeers(edge, parentEdge);
      }
      const current = edge.to;
      const dep = await nodeFromEdge(edge, null, null, required);
      if (current === null || dep.canReplace(current)) {
        if (node.parent !== null) await nodeFromEdge(edge, node.parent, null, required);
        continue;
      }
      if (conflictAllowed || !required.has(edge.from)) continue;
      failPeers(edge, parentEdge);
    }
    return node;
  }

  function failPeers(edge: Edge, other: Edge | null): never {
    const current = edge.from.resolve(edge.name);
    const peer = other?.to == null ? null : { current: other.to, dep: other.to, edge: other };
    return options.failPeers({ edge, dep: edge.from, current, peer }, "unable to resolve dependency tree");
  }

  /** Handles a package that was added to the tree: packages that may have lost a dependency by it are checked again. */
  function visit(place: Place, ahead: PackageNode[]): void {
    const { placed, canPlace } = place;
    if (placed !== null && canPlace !== null) {
      for (const user of placed.edgesIn) {
        if (user === place.edge || user.valid || user.peerConflicted) continue;
        seen.delete(user.from);
        queue.add(user.from);
      }
      queue.add(placed);
      for (const dep of place.needEvaluation) {
        seen.delete(dep);
        queue.add(dep);
      }
      ahead.push(placed);
    }
    for (const child of place.children) visit(child, ahead);
  }
}

/** The package that is highest in the tree, then first by name. */
function next(queue: Set<PackageNode>): PackageNode | null {
  let best: PackageNode | null = null;
  for (const node of queue) {
    if (best === null || (node.depth - best.depth || compare(node.location, best.location)) < 0) best = node;
  }
  if (best !== null) queue.delete(best);
  return best;
}
