import { createSignal } from "solid-js";
import * as t from "../texts/run-graph.ts";

/** The minimum and maximum width of a pane, and the step of one key press, in pixels. */
const [least, most, step] = [200, 640, 24];

export interface PaneEdgeProps {
  /** The pane that it resizes. */
  readonly of: "explorer" | "inspector";
  readonly width: number;
  readonly set: (width: number) => void;
}

/** The edge between two panes: drag it, or move it with the arrow keys. */
export function PaneEdge(props: PaneEdgeProps) {
  const [from, setFrom] = createSignal<{ readonly x: number; readonly width: number } | null>(null);
  /** The inspector's edge is on its left. */
  const sign = () => (props.of === "explorer" ? 1 : -1);
  const set = (width: number) => props.set(Math.round(Math.min(most, Math.max(least, width))));
  return (
    <div
      class={`pane-edge of-${props.of}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <hr> can't be moved
      role="separator"
      tabindex={0}
      aria-orientation="vertical"
      aria-label={t.widthOf[props.of]}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={props.width}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -step, ArrowRight: step }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        set(props.width + sign() * by);
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom({ x: event.clientX, width: props.width });
      }}
      onPointerMove={(event) => {
        const start = from();
        if (start !== null) set(start.width + sign() * (event.clientX - start.x));
      }}
      onPointerUp={() => setFrom(null)}
      onPointerCancel={() => setFrom(null)}
    />
  );
}
