import { createMemo, For, Show } from "solid-js";
import type { AgentState } from "../../protocol/index.ts";
import * as t from "../texts/run-graph.ts";
import { heightOf, type Layout, size } from "./layout.ts";
import type { Viewport } from "./viewport.ts";

/** In pixels. */
const most = { width: 128, height: 88 } as const;

/** The whole graph in a corner, one path per state. A click moves the view there. */
export function Minimap(props: { layout: Layout; stateOf: (id: string) => AgentState | "file" | null; viewport: Viewport }) {
  const scale = () => Math.min(most.width / Math.max(1, props.layout.width), most.height / Math.max(1, props.layout.height));
  /** Hide it when the whole graph is already visible. */
  const isWhole = () => {
    const { width, height } = props.viewport.view();
    return width >= props.layout.width && height >= props.layout.height;
  };
  const boxes = createMemo(() => {
    const found = new Map<AgentState | "file", string>();
    for (const node of props.layout.nodes.values()) {
      const state = props.stateOf(node.id);
      if (state !== null) found.set(state, `${found.get(state) ?? ""}M${node.x} ${node.y}h${size.width}v${heightOf(node)}h${-size.width}z`);
    }
    return found;
  });
  function go(event: PointerEvent & { currentTarget: SVGSVGElement }) {
    if (event.type === "pointermove" && event.buttons === 0) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    props.viewport.center((event.clientX - left) / scale(), (event.clientY - top) / scale());
  }
  return (
    <Show when={!isWhole()}>
      <svg
        class="minimap"
        width={props.layout.width * scale()}
        height={props.layout.height * scale()}
        viewBox={`0 0 ${props.layout.width} ${props.layout.height}`}
        aria-hidden="true"
        onPointerDown={go}
        onPointerMove={go}
      >
        <title>{t.minimap}</title>
        <For each={[...boxes().keys()]}>{(state) => <path class={`far is-${state}`} d={boxes().get(state) ?? ""} />}</For>
        <rect
          class="in-sight"
          x={props.viewport.view().x}
          y={props.viewport.view().y}
          width={props.viewport.view().width}
          height={props.viewport.view().height}
        />
      </svg>
    </Show>
  );
}
