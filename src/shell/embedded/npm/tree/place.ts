import { CanPlace } from "./can-place.ts";
import type { Edge } from "./node.ts";
import { PackageNode } from "./node.ts";
import { deepestTarget, peerSets } from "./sets.ts";
import { gatherDependencies } from "./node.ts";

export interface PlaceRules {
  /** Accept peers that don't fit: `--force`. */
  readonly force: boolean;
  readonly strictPeers: boolean;
  /** `--prefer-dedupe`. */
  readonly preferDedupe: boolean;
  /** Packages that are looked up again. */
  readonly updateNames: ReadonlySet<string>;
  /** A peer was overridden. */
  warn(conflict: Conflict): void;
  /** A peer that the project itself requires does not fit. Throws. */
  fail(conflict: Conflict): never;
}

export interface Conflict {
  readonly edge: Edge;
  readonly dep: PackageNode;
  /** The package that is there instead. */
  readonly current: PackageNode | null;
  readonly peer: { readonly current: PackageNode | null; readonly dep: PackageNode; readonly edge: Edge } | null;
}

interface PlaceOptions extends PlaceRules {
  readonly dep: PackageNode;
  readonly edge: Edge;
  readonly explicitRequest: boolean;
  readonly parent?: Place | null;
}

/** Places a package and its peers as high in the tree as they fit. */
export class Place {
  readonly edge: Edge;
  readonly children: Place[] = [];
  /** Packages whose dependencies must be checked again. */
  readonly needEvaluation = new Set<PackageNode>();
  /** The package that was added to the tree; null if none had to be. */
  placed: PackageNode | null = null;
  canPlace: CanPlace | null = null;
  readonly #options: PlaceOptions;
  readonly #dep: PackageNode;
  readonly #name: string;
  readonly #parent: Place | null;
  readonly #current: PackageNode | null;
  #canPlaceSelf: CanPlace | null = null;

  constructor(options: PlaceOptions) {
    this.#options = options;
    this.#dep = options.dep;
    this.edge = options.edge;
    this.#name = options.edge.name;
    this.#parent = options.parent ?? null;
    this.#current = options.edge.to;
    this.#place();
  }

  #place(): void {
    const { edge, explicitRequest, updateNames, force, strictPeers } = this.#options;
    const dep = this.#dep;
    if (edge.to !== null && edge.valid && !explicitRequest && !updateNames.has(edge.name)) return;
    this.#look();
    if (this.canPlace === null) {
      if (!force && (this.#isMine || strictPeers)) this.#options.fail(this.#conflict(this.#top.edge, this.#top.#dep));
      if (this.#canPlaceSelf === null) return this.#warn(edge, dep);
      this.canPlace = this.#canPlaceSelf;
    }
    const { target } = this.canPlace;
    const placing = this.canPlace.canPlace === "conflict" ? this.canPlace.canPlaceSelf : this.canPlace.canPlace;
    if (placing === "keep") {
      if (edge.peer && !edge.valid) this.#warn(edge, dep);
      this.#pruneDedupable(target);
      return;
    }

    const virtualRoot = dep.parent;
    const { resolved, integrity, overrides, pkg, error } = dep;
    const placed = new PackageNode({
      ...dep.options,
      dev: false,
      name: dep.name,
      pkg,
      resolved,
      integrity,
      overrides,
      error,
      source: null,
    });
    this.placed = placed;
    const old = target.children.get(this.#name);
    if (old) this.#replace(old, placed);
    else placed.moveTo(target);

    if (edge.peer && !placed.satisfies(edge)) this.#warn(edge, dep);
    if (edge.valid && edge.to !== null && edge.to !== placed) this.#pruneDedupable(edge.to, false);
    // Packages further down may be able to use the new one instead.
    for (const node of target.descendants()) {
      if (node.name !== this.#name || node.isTop || !node.isDescendantOf(target)) continue;
      this.#pruneDedupable(node, false);
      if (node.root === target.root) for (const kid of Array.from(node.children.values())) this.#pruneDedupable(kid, false);
    }
    for (const peerEdge of Array.from(placed.edgesOut.values())) {
      if (peerEdge.valid || !peerEdge.peer || peerEdge.peerConflicted) continue;
      const peer = virtualRoot?.children.get(peerEdge.name);
      if (peer?.satisfies(peerEdge) !== true) continue;
      this.children.push(new Place({ ...this.#options, parent: this, dep: peer, edge: peerEdge }));
    }
  }

  /** Goes up from the deepest folder as long as there is no conflict. */
  #look(): void {
    const { edge, preferDedupe, explicitRequest } = this.#options;
    for (const target of this.#start.ancestry()) {
      if (!target.isTop && target.edgesOut.get(edge.name)?.peer === true) continue;
      const check = new CanPlace({ dep: this.#dep, edge, parent: this.#parent?.canPlace ?? null, target, preferDedupe, explicitRequest });
      if (check.canPlaceSelf !== "conflict") this.#canPlaceSelf = check;
      if (check.canPlace === "conflict") return;
      this.canPlace = check;
      if (this.#dep.error !== null) return;
    }
  }

  #replace(old: PackageNode, placed: PackageNode): void {
    const target = old.parent;
    const oldDeps: PackageNode[] = [];
    for (const [name, { to }] of old.edgesOut) {
      if (!placed.edgesOut.has(name) && to !== null) oldDeps.push(...gatherDependencies([to], (edge) => edge.to !== to));
    }
    const pruned: PackageNode[] = [];
    for (const edge of old.edgesIn) {
      if (placed.satisfies(edge) || !edge.peer || edge.from.parent !== target || edge.peerConflicted) continue;
      for (const entry of peerSets(edge.from).keys()) {
        const node = entry.to;
        if (node === null) continue;
        if (deepestTarget(node, this.#name) !== target && !entry.from.isTop) {
          pruned.push(...gatherDependencies([node], (each) => each.to !== node && !each.peerConflicted));
        } else this.#warn(edge, this.#dep);
      }
    }
    placed.replace(old);
    this.#pruneForReplacement(placed, oldDeps);
    for (const dep of pruned) {
      for (const edge of dep.edgesIn) this.needEvaluation.add(edge.from);
      dep.detach();
    }
  }

  /** Removes packages that only the replaced one needed, and those that no longer fit. */
  #pruneForReplacement(node: PackageNode, oldDeps: readonly PackageNode[]): void {
    const invalid = new Set([...node.edgesOut.values()].flatMap((edge) => (edge.to !== null && !edge.valid ? [edge.to] : [])));
    for (const old of oldDeps) for (const dep of gatherDependencies([old], (edge) => edge.to !== old && edge.valid)) invalid.add(dep);
    for (const dep of gatherDependencies(invalid, (edge) => edge.from !== node && edge.to !== node && edge.valid)) dep.detach();
  }

  #pruneDedupable(node: PackageNode, descend = true): void {
    if (node.canDedupe(this.#options.preferDedupe, this.#options.explicitRequest)) {
      for (const dep of gatherDependencies([node], (edge) => edge.to !== node && edge.valid)) dep.detach();
      return;
    }
    if (!descend) return;
    for (const child of [...node.children.values()].toSorted((a, b) => a.location.localeCompare(b.location, "en")))
      this.#pruneDedupable(child);
  }

  /** Whether the project itself requires it, or requires a package that has it as a peer. Then the project must solve the conflict. */
  get #isMine(): boolean {
    const { edge } = this.#top;
    if (edge.from.isTop) return true;
    if (!edge.peer) return false;
    let hasPeerEdges = false;
    for (const each of edge.from.edgesIn) {
      if (each.peer) hasPeerEdges = true;
      else if (each.from.isTop) return true;
    }
    return hasPeerEdges && [...peerSets(edge.from).keys()].some((entry) => entry.from.isTop);
  }

  #warn(edge: Edge, dep: PackageNode): void {
    edge.peerConflicted = true;
    this.#options.warn(this.#conflict(edge, dep));
  }

  #conflict(edge: Edge, dep: PackageNode): Conflict {
    const current = edge.from.resolve(edge.name);
    const failed = this.#parent === null ? this.#canPlaceSelf?.conflicts.find((check) => check.current !== null) : undefined;
    if (failed) return { edge, dep, current, peer: { current: failed.current, dep: failed.dep, edge: failed.edge } };
    return { edge, dep, current, peer: this.edge === edge ? null : { current: this.#current, dep: this.#dep, edge: this.edge } };
  }

  get #top(): Place {
    return this.#parent === null ? this : this.#parent.#top;
  }

  get #start(): PackageNode {
    return deepestTarget(this.#parent === null ? this.edge.from : this.#parent.#start, this.#name);
  }
}
