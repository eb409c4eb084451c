import type { PackageNode } from "./node.ts";

/** Determines for each package whether it is needed, and whether only for development, as an optional dependency or as a peer. */
export function markFlags(root: PackageNode): void {
  for (const node of root.descendants()) setFlags(node, node !== root);
  const seen = new Set<PackageNode>();
  const queue = [root];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    seen.add(node);
    // A package that contains a needed one is kept, too.
    if (!node.extraneous) for (let above = node.parent; above?.extraneous === true; above = above.parent) above.extraneous = false;
    for (const { peer, optional, type, to } of node.edgesOut.values()) {
      if (to === null) continue;
      const dev = type === "dev";
      let changed = false;
      const clear = (flag: "dev" | "optional" | "devOptional" | "peer" | "extraneous", when: boolean): void => {
        if (!to[flag] || !when) return;
        to[flag] = false;
        changed = true;
      };
      clear("extraneous", !node.extraneous && !(peer && optional));
      clear("dev", !node.dev && !dev);
      clear("optional", !node.optional && !optional);
      clear("devOptional", !node.devOptional && !node.dev && !node.optional && !dev && !optional);
      clear("peer", !node.peer && !peer);
      if (changed) queue.push(to);
    }
  }
  for (const node of seen) if (node.devOptional && (node.dev || node.optional)) node.devOptional = false;
}

function setFlags(node: PackageNode, value: boolean): void {
  node.dev = value;
  node.optional = value;
  node.devOptional = value;
  node.peer = value;
  node.extraneous = value;
}
