import type { AgentState, GraphEdge } from "../../protocol/index.ts";
import { fileId, heightOf, type Layout, type Placed, size } from "./layout.ts";

/** The visible part of the graph, in its own units. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The maximum number of nodes drawn with text. If more are in view, each state is one path, and only selected nodes have text. */
const mostWithWords = 54;
/** Units around the visible part that are drawn, too. */
const around = 60;

export interface VisibleGraph {
  /** Nodes drawn with their text. */
  readonly nodes: readonly Placed[];
  /** The other nodes in view, as one path per state. */
  readonly simplifiedNodes: ReadonlyMap<AgentState | "file", string>;
  readonly spawned: string;
  readonly read: string;
  readonly wrote: string;
  /** The arrowheads of those lines: at the launched agent, at the agent that read, and at the file that was written. */
  readonly arrows: { readonly spawned: string; readonly read: string; readonly wrote: string };
}

export interface Drawing {
  readonly layout: Layout;
  readonly view: View;
  /** null: the node doesn't exist at this moment. */
  readonly stateOf: (id: string) => AgentState | "file" | null;
  readonly edges: readonly GraphEdge[];
  /** Nodes that are selected or pointed at. They are drawn with their text, along with what they read and wrote. */
  readonly chosen: ReadonlySet<string>;
  /** Whether everything that was read and written is shown. */
  readonly allTouched: boolean;
}

/** What is drawn. It is limited, however large the graph is. */
export function visibleGraph({ layout, view, stateOf, edges, chosen, allTouched }: Drawing): VisibleGraph {
  const there = (id: string): Placed | null => (stateOf(id) === null ? null : (layout.nodes.get(id) ?? null));
  const seen: Placed[] = [];
  let spawned = "";
  const arrows = { spawned: "", read: "", wrote: "" };
  for (const node of layout.nodes.values()) {
    const state = stateOf(node.id);
    if (state === null) continue;
    if (isIn(node, node, view)) seen.push(node);
    const parent = node.parent === null ? null : there(node.parent);
    if (parent === null || !isIn(parent, node, view)) continue;
    spawned += branch(parent, node);
    arrows.spawned += arrowHead(node.x, middle(node), "right");
  }
  const labeledNodes = seen.length <= mostWithWords ? seen : seen.filter(({ id }) => chosen.has(id)).slice(0, mostWithWords);
  const simplifiedNodes = new Map<AgentState | "file", string>();
  if (labeledNodes !== seen)
    for (const node of seen) {
      const state = stateOf(node.id);
      if (state !== null && !chosen.has(node.id)) simplifiedNodes.set(state, (simplifiedNodes.get(state) ?? "") + box(node));
    }
  const touched = { read: "", wrote: "" };
  for (const edge of edges) {
    if (edge.kind === "spawned") continue;
    const file = fileId(edge.path);
    if (!allTouched && !chosen.has(edge.from) && !chosen.has(file)) continue;
    const [one, other] = [there(edge.from), there(file)];
    if (one === null || other === null || !isIn(one, other, view)) continue;
    touched[edge.kind] += curve(one, other);
    arrows[edge.kind] +=
      edge.kind === "wrote" ? arrowHead(other.x, middle(other), "right") : arrowHead(one.x + size.width, middle(one) + 8, "left");
  }
  return { nodes: labeledNodes, simplifiedNodes, spawned, ...touched, arrows };
}

function isIn(one: Placed, other: Placed, view: View): boolean {
  return (
    Math.max(one.x, other.x) + size.width >= view.x - around &&
    Math.min(one.x, other.x) <= view.x + view.width + around &&
    Math.max(one.y, other.y) + size.height >= view.y - around &&
    Math.min(one.y, other.y) <= view.y + view.height + around
  );
}

const middle = (node: Placed): number => node.y + heightOf(node) / 2;

function branch(parent: Placed, child: Placed): string {
  const from = parent.x + size.width;
  const turn = from + size.right / 2;
  // A file is distinguished by its outline; its line is like any other.
  return `M${from} ${middle(parent)}H${turn}V${middle(child)}H${child.x}`;
}

function curve(one: Placed, other: Placed): string {
  const [from, to] = [one.x + size.width, other.x];
  const bend = Math.max(24, Math.abs(to - from) / 2);
  return `M${from} ${middle(one) + 8}C${from + bend} ${middle(one) + 8} ${to - bend} ${middle(other)} ${to} ${middle(other)}`;
}

/** An arrowhead with its tip at this point. */
function arrowHead(x: number, y: number, points: "left" | "right"): string {
  const back = points === "right" ? -7 : 7;
  return `M${x} ${y}l${back} -4v8z`;
}

const box = (node: Placed): string => `M${node.x} ${node.y}h${size.width}v${heightOf(node)}h${-size.width}z`;
