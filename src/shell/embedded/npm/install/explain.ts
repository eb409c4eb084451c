import type { Edge } from "../tree/node.ts";
import type { PackageNode } from "../tree/node.ts";
import type { Conflict } from "../tree/place.ts";

/** Explains in npm's words why peers conflict. */
export function explainConflict(root: PackageNode, { edge, dep, current, peer }: Conflict): string[] {
  const lines: string[] = [];
  const project = `${root.pkg.name ?? root.name}@${root.pkg.version ?? "undefined"}`;
  lines.push(`While resolving: ${dep.version === "" || edge.from.isTop ? project : id(edge.from)}`);
  const found = current ?? peer?.current ?? null;
  if (found !== null) lines.push(`Found: ${id(found)}`, ...users(found));
  else lines.push(`Found: ${edgeText(edge)}`);
  lines.push("", "Could not resolve dependency:", edgeText(edge));
  if (!edge.from.isTop) lines.push(`  ${id(edge.from)}`, ...users(edge.from).map((line) => `  ${line}`));
  if (peer !== null && peer.dep !== found) lines.push("", `Conflicting peer dependency: ${id(peer.dep)}`, `  ${edgeText(peer.edge)}`);
  return lines;
}

const id = (node: PackageNode): string => `${node.name}@${node.version}`;

function edgeText(edge: Edge): string {
  const from = edge.from.isTop ? "the root project" : id(edge.from);
  return `${edge.type === "prod" ? "" : `${edge.type} `}${edge.name}@"${edge.spec}" from ${from}`;
}

/** The first few dependents of a package. */
function users(node: PackageNode): string[] {
  const edges = [...node.edgesIn].filter((edge) => edge.valid || edge.from.isTop);
  const shown = edges.slice(0, 2).map((edge) => `  ${edgeText(edge)}`);
  const more = edges.length - shown.length;
  return more > 0 ? [...shown, `  ${more} more`] : shown;
}
