import semver from "semver";
import type { Edge } from "./node.ts";
import type { PackageNode } from "./node.ts";
import { deepestTarget, peerSets } from "./sets.ts";

/** What would happen to a package in a folder: it fits ("ok"), it replaces the existing one, the existing one is kept, or it can't be there. */
export type Placing = "ok" | "replace" | "keep" | "conflict";

export interface CanPlaceOptions {
  readonly dep: PackageNode;
  readonly target: PackageNode;
  readonly edge: Edge;
  readonly explicitRequest?: boolean;
  readonly preferDedupe: boolean;
  /** The check of the package that has this one as a peer. */
  readonly parent?: CanPlace | null;
  readonly peerPath?: readonly PackageNode[];
}

/** Checks whether a package and its peers can be put into a folder. Changes nothing. */
export class CanPlace {
  readonly dep: PackageNode;
  readonly target: PackageNode;
  readonly edge: Edge;
  readonly children: CanPlace[] = [];
  readonly current: PackageNode | null;
  readonly canPlace: Placing;
  /** The result without the peers. */
  readonly canPlaceSelf: Placing;
  readonly #parent: CanPlace | null;
  readonly #peerPath: readonly PackageNode[];
  readonly #explicitRequest: boolean;
  readonly #preferDedupe: boolean;
  #self: Placing | null = null;
  #peers: Placing | null = null;

  constructor({ dep, target, edge, explicitRequest = false, preferDedupe, parent = null, peerPath = [] }: CanPlaceOptions) {
    this.dep = dep;
    this.target = target;
    this.edge = edge;
    this.#parent = parent;
    this.#peerPath = peerPath;
    this.#explicitRequest = explicitRequest;
    this.#preferDedupe = preferDedupe || edge.peer;
    this.current = target.children.get(edge.name) ?? null;
    this.canPlace = this.#check();
    this.canPlaceSelf = this.#self ?? this.canPlace;
  }

  #check(): Placing {
    const { target, current, dep, edge } = this;
    if (dep.error !== null) return current === null ? "ok" : "replace";
    const targetEdge = target.edgesOut.get(edge.name);
    // A peer is never placed below the package that has it as a peer.
    if (targetEdge?.peer === true && !target.isTop) return "conflict";
    // Here it would hide the version that the folder's own package needs.
    if (current === null && targetEdge !== undefined && !dep.satisfies(targetEdge) && targetEdge !== edge) return "conflict";
    return current === null ? this.#checkFree() : this.#checkTaken(current);
  }

  #checkTaken(current: PackageNode): Placing {
    const { target, edge, dep } = this;
    const override = !dep.satisfies(edge);
    if (dep.matches(current) && (current.satisfies(edge) || override)) return this.#explicitRequest ? "replace" : "keep";

    const newer =
      current.version !== "" &&
      dep.version !== "" &&
      semver.valid(current.version, true) !== null &&
      semver.valid(dep.version, true) !== null
        ? semver.gte(dep.version, current.version, true)
        : false;
    if (newer && dep.canReplace(current)) {
      const placing = this.#withPeers("replace");
      if (placing !== "conflict") return placing;
    }
    if (current.satisfies(edge) && (!this.#explicitRequest || this.#preferDedupe)) return "keep";
    if (this.#preferDedupe && !newer && dep.canReplace(current)) {
      const placing = this.#withPeers("replace");
      if (placing !== "conflict") return placing;
    }

    // There is room further down. Only in the deepest folder must one of them be replaced.
    if (target !== this.deepestTarget) return "conflict";
    if (!edge.peer && target === edge.from) return this.#withPeers("replace");
    if (this.#parent === null && !edge.peer) return "conflict";
    return this.#setCanGiveWay(current) ? this.#withPeers("replace") : "conflict";
  }

  /** Whether the existing set of peers can be replaced by ours, or moved further down. */
  #setCanGiveWay(current: PackageNode): boolean {
    const { target, edge, dep } = this;
    const ours = dep.parent;
    let can = true;
    for (const [entry, peers] of peerSets(current)) {
      if (entry === edge || entry === this.#entryEdge || entry.to === null) continue;
      const replacement = ours?.children.get(entry.to.name);
      if (replacement?.canReplace(entry.to, ours?.children.keys()) === true) continue;
      if (replacement === undefined && this.#replacesPeers(entry.to)) continue;
      for (const peer of peers) {
        const deepest = deepestTarget(entry.from, peer.name);
        if (deepest === target || target.isDescendantOf(deepest)) {
          can = false;
          break;
        }
      }
    }
    return can;
  }

  #replacesPeers(entry: PackageNode): boolean {
    const walk = new Set([entry]);
    for (const peer of walk) {
      for (const edge of peer.edgesOut.values()) {
        if (!edge.peer || !edge.valid) continue;
        const replacement = this.dep.parent?.children.get(edge.name);
        if (replacement === undefined) {
          if (edge.to !== null) walk.add(edge.to);
        } else if (!replacement.satisfies(edge)) return false;
      }
    }
    return true;
  }

  #checkFree(): Placing {
    const { target, dep, edge } = this;
    // A package below uses the version further up, which would be hidden from here on.
    const hidden = target === this.#entryEdge.from ? null : target.resolve(edge.name);
    for (const user of hidden?.edgesIn ?? []) {
      if (user.from.isDescendantOf(target) && user.valid && !dep.satisfies(user)) return "conflict";
    }
    return this.#withPeers("ok");
  }

  #withPeers(placing: Placing): Placing {
    this.#self = placing;
    if (this.#peers !== null) return this.#peers;
    const peerPath = [...this.#peerPath, this.dep];
    let conflict = false;
    for (const edge of this.dep.edgesOut.values()) {
      if (!edge.peer || edge.to === null || peerPath.includes(edge.to)) continue;
      const child = new CanPlace({
        dep: edge.to,
        target: deepestTarget(this.target, edge.to.name),
        parent: this,
        edge,
        peerPath,
        preferDedupe: true,
      });
      this.children.push(child);
      if (child.canPlace === "conflict") conflict = true;
    }
    this.#peers = conflict ? "conflict" : placing;
    return this.#peers;
  }

  get deepestTarget(): PackageNode {
    return deepestTarget(this.#parent?.deepestTarget ?? this.edge.from, this.edge.name);
  }

  /** The failed checks of the peers, of their peers and so on. */
  get conflicts(): readonly CanPlace[] {
    return this.children.flatMap((child) => [...(child.canPlace === "conflict" ? [child] : []), ...child.conflicts]);
  }

  get #entryEdge(): Edge {
    return this.#parent === null ? this.edge : this.#parent.#entryEdge;
  }
}
