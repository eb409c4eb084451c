import type { Layout, Placed } from "./layout.ts";

/** The node that a key leads to from another node; null: none. The tree grows to the right: Right leads to the first child, Left to the parent. */
export function neighbour({ nodes }: Pick<Layout, "nodes">, from: string, key: string): string | null {
  const node = nodes.get(from);
  if (node === undefined) return null;
  const all = [...nodes.values()];
  const ordered = (some: readonly Placed[]) => some.toSorted((one, other) => one.y - other.y);
  switch (key) {
    case "ArrowRight":
      return ordered(all.filter(({ parent }) => parent === from))[0]?.id ?? null;
    case "ArrowLeft":
      return node.parent !== null && nodes.has(node.parent) ? node.parent : null;
    case "ArrowDown":
      return ordered(all.filter(({ x, y }) => x === node.x && y > node.y))[0]?.id ?? null;
    case "ArrowUp":
      return ordered(all.filter(({ x, y }) => x === node.x && y < node.y)).at(-1)?.id ?? null;
    case "Home":
      return all[0]?.id ?? null;
    case "End":
      return all.at(-1)?.id ?? null;
    default:
      return null;
  }
}
