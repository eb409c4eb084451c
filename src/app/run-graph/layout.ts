import { hierarchy, tree } from "d3-hierarchy";
import type { RunGraph } from "../../protocol/index.ts";

/** In the graph's units: pixels at a zoom of 1. */
export const size = { width: 156, height: 62, fileHeight: 40, right: 36, below: 14, margin: 16 } as const;

/** The position of a node: its upper left corner. */
export interface Placed {
  /** The dialog's id, or `/` and the path. */
  readonly id: string;
  readonly kind: "agent" | "file";
  readonly x: number;
  readonly y: number;
  /** The parent node; null for the root. */
  readonly parent: string | null;
}

export interface Layout {
  readonly nodes: ReadonlyMap<string, Placed>;
  readonly width: number;
  readonly height: number;
}

export const fileId = (path: string): string => `/${path}`;
export const heightOf = ({ kind }: Pick<Placed, "kind">): number => (kind === "file" ? size.fileHeight : size.height);

interface Node {
  readonly id: string;
  readonly kind: Placed["kind"];
  readonly parent: string | null;
}

/** The nodes of the graph, each after its parent: agents, and files attached to the agent that created them, or else to the first that read them. */
export function nodesOf({ agents, files, edges }: RunGraph, withFiles: boolean, hidden: ReadonlySet<string>): readonly Node[] {
  const nodes: Node[] = agents.flatMap(({ dialogId, parent }) =>
    hidden.has(dialogId) ? [] : [{ id: dialogId, kind: "agent" as const, parent }],
  );
  if (!withFiles) return nodes;
  const shown = new Set(nodes.map(({ id }) => id));
  const firstToRead = new Map<string, string>();
  for (const edge of edges) if (edge.kind === "read" && !firstToRead.has(edge.path)) firstToRead.set(edge.path, edge.from);
  for (const { path, createdBy } of files) {
    const parent = createdBy ?? firstToRead.get(path) ?? null;
    if (parent !== null && shown.has(parent)) nodes.push({ id: fileId(path), kind: "file", parent });
  }
  return nodes;
}

/** A tidy tree from left to right. A node whose parent is missing starts a tree of its own, below the others. */
export function layoutOf(nodes: readonly Node[]): Layout {
  const known = new Set(nodes.map(({ id }) => id));
  const children = new Map<string | null, Node[]>();
  for (const node of nodes) {
    const parent = node.parent !== null && known.has(node.parent) ? node.parent : null;
    const those = children.get(parent);
    if (those) those.push(node);
    else children.set(parent, [node]);
  }
  const top: Node = { id: "", kind: "agent", parent: null };
  const root = hierarchy(top, ({ id }) => children.get(id === "" ? null : id) ?? []);
  const placed = tree()
    .nodeSize([size.height + size.below, size.width + size.right])
    .separation(() => 1)(root);
  const found = new Map<string, Placed>();
  let [least, most, right] = [Infinity, -Infinity, 0];
  placed.each(({ data, x, y }) => {
    if (data === top) return;
    const left = y - size.width - size.right + size.margin;
    const upper = x - heightOf(data) / 2;
    found.set(data.id, { ...data, x: left, y: upper });
    least = Math.min(least, upper);
    most = Math.max(most, upper + heightOf(data));
    right = Math.max(right, left + size.width);
  });
  if (found.size === 0) return { nodes: found, width: 0, height: 0 };
  const down = size.margin - least;
  return {
    nodes: new Map([...found].map(([id, node]) => [id, { ...node, y: node.y + down }])),
    width: right + size.margin,
    height: most - least + 2 * size.margin,
  };
}
