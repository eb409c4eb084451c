import type { Edge } from "./node.ts";
import type { PackageNode } from "./node.ts";
import { gatherDependencies } from "./node.ts";

/** The sets of peers that a package belongs to, each with the edge that brought the set into the tree. */
export function peerSets(node: PackageNode): Map<Edge, ReadonlySet<PackageNode>> {
  const union = new Set([node]);
  for (const each of union) {
    for (const edge of each.edgesOut.values()) if (edge.valid && edge.peer && edge.to !== null) union.add(edge.to);
    for (const edge of each.edgesIn) if (edge.valid && edge.peer) union.add(edge.from);
  }
  const sets = new Map<Edge, ReadonlySet<PackageNode>>();
  for (const peer of union) {
    for (const entry of peer.edgesIn) {
      if (!entry.valid || (entry.peer && !entry.from.isTop)) continue;
      const set = new Set([peer]);
      for (const each of set) for (const edge of each.edgesOut.values()) if (edge.valid && edge.peer && edge.to !== null) set.add(edge.to);
      if (set.has(node)) sets.set(entry, set);
    }
  }
  return sets;
}

/** The deepest folder for a dependency of `start`: not below a package that has it as a peer. */
export function deepestTarget(start: PackageNode, name: string): PackageNode {
  for (const target of start.ancestry()) {
    if (target.parent === null) return target;
    if (target.edgesOut.get(name)?.peer !== true) return target;
  }
  return start;
}

/** What is removed if an optional package can't be installed: the package, every package that needs it, and what only those need. */
export function optionalSet(node: PackageNode): Set<PackageNode> {
  const set = new Set([node]);
  for (const each of set) for (const edge of each.edgesIn) if (!edge.optional) set.add(edge.from);
  return gatherDependencies(set, (edge) => !(edge.to !== null && set.has(edge.to)) && !edge.from.inert);
}
