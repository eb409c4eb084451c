/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a tree that is drawn */
import { createMemo, createSignal, For, Show } from "solid-js";
import type { AgentNode, AgentState, FileNode, GraphEdge } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import { slugOf } from "../docs/names.ts";
import { compact } from "../overview/compact.ts";
import * as t from "../texts/run-graph.ts";
import type { Completed } from "./completed.ts";
import { visibleGraph } from "./visible-graph.ts";
import { heightOf, type Layout, type Placed, size } from "./layout.ts";
import { iconOf } from "./StateIcon.tsx";
import { Minimap } from "./Minimap.tsx";
import { neighbour } from "./neighbour.ts";
import { createViewport } from "./viewport.ts";
import { onChange } from "../ui/on-change.ts";
import { ByKey } from "../ui/ByKey.tsx";

export interface GraphProps {
  readonly layout: Layout;
  readonly agents: ReadonlyMap<string, AgentNode>;
  readonly files: ReadonlyMap<string, FileNode>;
  readonly edges: readonly GraphEdge[];
  readonly completed: Completed;
  /** Whether everything that agents read and wrote is shown. */
  readonly touched: boolean;
  /** The node that is open in the inspector; null: none. */
  readonly selected: string | null;
  readonly choose: (id: string | null) => void;
}

/** The maximum number of characters in a node: of a name, and of the facts below it. */
const most = { name: 17, file: 15, facts: 23 } as const;
const short = (text: string, length: number = most.name): string => {
  const all = Array.from(text);
  return all.length > length ? `${all.slice(0, length - 1).join("")}…` : text;
};
const isFile = (id: string): boolean => id.startsWith("/");

/** Who launched whom, and their files. Scrolling pans the graph. Only what is in view is in the page. */
export function GraphView(props: GraphProps) {
  const viewport = createViewport(() => props.layout);
  const [pointed, setPointed] = createSignal<string | null>(null);
  /** The node with the keyboard focus. */
  const [at, setAt] = createSignal<string | null>(null);
  const stateOf = (id: string): AgentState | "file" | null =>
    isFile(id) ? (props.files.has(id) ? "file" : null) : (props.agents.get(id)?.state ?? null);
  const chosen = createMemo(() => new Set([props.selected, pointed(), at()].filter((id) => id !== null)));
  const shown = createMemo(() =>
    visibleGraph({ layout: props.layout, view: viewport.view(), stateOf, edges: props.edges, chosen: chosen(), allTouched: props.touched }),
  );
  const first = () => props.layout.nodes.keys().next().value ?? null;
  const current = () => (at() !== null && props.layout.nodes.has(at() ?? "") ? at() : (props.selected ?? first()));

  function moveTo(id: string) {
    const node = props.layout.nodes.get(id);
    if (!node) return;
    setAt(id);
    const { x, y, width, height } = viewport.view();
    const isInSight = node.x >= x && node.y >= y && node.x + size.width <= x + width && node.y + heightOf(node) <= y + height;
    if (!isInSight) viewport.center(node.x + size.width / 2, node.y + heightOf(node) / 2);
    requestAnimationFrame(() =>
      viewport
        .box()
        ?.querySelector<SVGElement>(`[data-id="${CSS.escape(id)}"]`)
        ?.focus({ preventScroll: true }),
    );
  }
  function key(event: KeyboardEvent) {
    const from = current();
    if (event.key === "+" || event.key === "=") viewport.zoomIn();
    else if (event.key === "-") viewport.zoomOut();
    else if (event.key === "Escape") props.choose(null);
    else if ((event.key === "Enter" || event.key === " ") && from !== null) props.choose(from);
    else {
      const next = from === null ? null : neighbour(props.layout, from, event.key);
      if (next === null) return;
      moveTo(next);
    }
    event.preventDefault();
  }
  // Scrolls to a node that was chosen elsewhere.
  onChange(
    () => props.selected,
    (id) => {
      const node = id === null ? undefined : props.layout.nodes.get(id);
      const { x, y, width, height } = viewport.view();
      if (node && (node.x + size.width < x || node.x > x + width || node.y > y + height || node.y + size.height < y))
        viewport.center(node.x + size.width / 2, node.y + size.height / 2);
    },
  );

  return (
    <div class="graph">
      <div class="graph-box" ref={viewport.setBox} onScroll={() => viewport.look()}>
        <svg
          width={props.layout.width * viewport.scale()}
          height={props.layout.height * viewport.scale()}
          viewBox={`0 0 ${props.layout.width} ${props.layout.height}`}
          role="tree"
          tabindex={-1}
          aria-label={t.treeLabel(props.agents.size)}
          onKeyDown={key}
        >
          <path class="edges" d={shown().spawned} />
          <path class="edges read" d={shown().read} />
          <path class="edges wrote" d={shown().wrote} />
          <path class="arrows" d={shown().arrows.spawned + shown().arrows.read} />
          <path class="arrows wrote" d={shown().arrows.wrote} />
          <For each={[...shown().simplifiedNodes.keys()]}>
            {(state) => <path class={`far is-${state}`} d={shown().simplifiedNodes.get(state) ?? ""} />}
          </For>
          <ByKey each={shown().nodes} by={({ id }) => id}>
            {(node) => (
              <g
                class={`node is-${stateOf(node().id) ?? "file"}`}
                classList={{ selected: props.selected === node().id }}
                transform={`translate(${node().x} ${node().y})`}
                data-id={node().id}
                role="treeitem"
                tabindex={current() === node().id ? 0 : -1}
                aria-selected={props.selected === node().id}
                aria-level={node().kind === "file" ? undefined : (props.agents.get(node().id)?.depth ?? 0) + 1}
                aria-label={label(node())}
                onClick={() => {
                  setAt(node().id);
                  props.choose(node().id);
                }}
                onFocus={() => setAt(node().id)}
                onPointerEnter={() => setPointed(node().id)}
                onPointerLeave={() => setPointed(null)}
              >
                <Show when={props.agents.get(node().id)} fallback={<FileWords file={props.files.get(node().id)} />}>
                  {(agent) => <AgentWords agent={agent()} folded={props.completed.counts.get(node().id) ?? 0} />}
                </Show>
              </g>
            )}
          </ByKey>
        </svg>
      </div>
      <div class="graph-tools" role="toolbar" aria-label={t.tools}>
        <button type="button" class="quiet small" aria-label={t.zoomOut} onClick={() => viewport.zoomOut()}>
          −
        </button>
        <button type="button" class="quiet small" aria-label={t.zoomIn} onClick={() => viewport.zoomIn()}>
          +
        </button>
        <button type="button" class="quiet small" onClick={() => viewport.fit()}>
          {t.fit}
        </button>
      </div>
      <Minimap layout={props.layout} stateOf={stateOf} viewport={viewport} />
    </div>
  );

  function label(node: Placed): string {
    const agent = props.agents.get(node.id);
    if (agent) return t.nodeLabel(visible(slugOf(agent.dialogId)), t.states[agent.state], compact(agent.tokens ?? 0), agent.depth);
    const file = props.files.get(node.id);
    return file === undefined
      ? ""
      : t.fileLabel(visible(file.path), file.createdBy === null ? null : visible(slugOf(file.createdBy)), file.versions);
  }
}

function AgentWords(props: { agent: AgentNode; folded: number }) {
  const mark = () => iconOf(props.agent.state);
  const facts = () => t.nodeFacts(compact(props.agent.tokens ?? 0), props.agent.depth);
  return (
    <>
      <rect class="box" width={size.width} height={size.height} rx="9" />
      <text class="name" x="10" y="19">
        {short(visible(slugOf(props.agent.dialogId)))}
      </text>
      <path class={`mark ${mark().filled ? "filled" : "line"}`} d={mark().path} transform="translate(10 27)" />
      <text class="word" x="28" y="37">
        {t.states[props.agent.state]}
      </text>
      <text class="facts" x="10" y="54">
        {props.folded === 0 ? facts() : `${facts()} · ${t.folded(props.folded)}`}
      </text>
    </>
  );
}

function FileWords(props: { file: FileNode | undefined }) {
  const name = () => props.file?.path.split("/").at(-1) ?? "";
  const creator = () => props.file?.createdBy ?? null;
  return (
    <>
      <path class="box" d={`M0 6a6 6 0 0 1 6-6h${size.width - 20}l14 14v${size.fileHeight - 20}a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6z`} />
      <text class="name" x="10" y="17">
        {short(visible(name()), most.file)}
      </text>
      <text class="facts" x="10" y="33">
        {creator() === null
          ? t.onlyRead
          : short(`${t.versionsOf(props.file?.versions ?? 0)} · ${t.by(visible(slugOf(creator() ?? "")))}`, most.facts)}
      </text>
    </>
  );
}
