import { type Accessor, createEffect, createSignal, onCleanup } from "solid-js";
import type { Layout } from "./layout.ts";
import type { View } from "./visible-graph.ts";
import { onChange } from "../ui/on-change.ts";

const scales = { least: 0.05, most: 2, step: 1.25 } as const;

/** The visible part of the graph: a scrolling box and a zoom factor. Scrolling pans. */
export function createViewport(layout: Accessor<Layout>) {
  const [box, setBox] = createSignal<HTMLElement>();
  const [scale, setScale] = createSignal(1);
  const [seen, setSeen] = createSignal({ left: 0, top: 0, width: 0, height: 0 });
  let fitted = true;

  function look() {
    const shown = box();
    if (!shown) return;
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = shown;
    const before = seen();
    if (before.left !== left || before.top !== top || before.width !== width || before.height !== height)
      setSeen({ left, top, width, height });
  }
  /** Zooms so that the point (x, y) of the box stays where it is. */
  function zoomTo(wanted: number, x = seen().width / 2, y = seen().height / 2) {
    const shown = box();
    const before = scale();
    const next = Math.min(scales.most, Math.max(scales.least, wanted));
    if (!shown || next === before) return;
    fitted = false;
    const [left, top] = [shown.scrollLeft, shown.scrollTop];
    setScale(next);
    shown.scrollLeft = ((left + x) * next) / before - x;
    shown.scrollTop = ((top + y) * next) / before - y;
    look();
  }
  const zoomBy: Zoom = (by, x, y) => zoomTo(scale() * by, x, y);
  function fit() {
    const { width, height } = seen();
    const of = layout();
    if (of.width === 0 || width === 0) return;
    setScale(Math.min(1, Math.max(scales.least, Math.min(width / of.width, height / of.height))));
    fitted = true;
    look();
  }
  /** Moves a point of the graph to the center. */
  function center(x: number, y: number) {
    const shown = box();
    if (!shown) return;
    shown.scrollTo({ left: x * scale() - shown.clientWidth / 2, top: y * scale() - shown.clientHeight / 2 });
    look();
  }

  createEffect(() => {
    const shown = box();
    if (!shown) return;
    const resized = new ResizeObserver(look);
    resized.observe(shown);
    const stops = [listenToWheel(shown, zoomBy), listenToPinch(shown, zoomBy), listenToDrag(shown)];
    onCleanup(() => {
      resized.disconnect();
      for (const stop of stops) stop();
    });
  });
  // Until the user zooms, the whole graph shows.
  onChange([layout, () => seen().width, () => seen().height], () => fitted && fit());

  const view = (): View => {
    const { left, top, width, height } = seen();
    return { x: left / scale(), y: top / scale(), width: width / scale(), height: height / scale() };
  };
  return {
    setBox,
    box,
    scale,
    view,
    look,
    fit,
    center,
    zoomIn: () => zoomTo(scale() * scales.step),
    zoomOut: () => zoomTo(scale() / scales.step),
  };
}
export type Viewport = ReturnType<typeof createViewport>;

type Zoom = (by: number, x: number, y: number) => void;

/** The wheel zooms. Sideways, or with Shift, it scrolls as usual. */
function listenToWheel(box: HTMLElement, zoom: Zoom): () => void {
  function wheel(event: WheelEvent) {
    if (event.shiftKey || (event.deltaX !== 0 && !event.ctrlKey)) return;
    event.preventDefault();
    const { left, top } = box.getBoundingClientRect();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    zoom(Math.exp((-event.deltaY * lines * (event.ctrlKey ? 5 : 1)) / 500), event.clientX - left, event.clientY - top);
  }
  box.addEventListener("wheel", wheel, { passive: false });
  return () => box.removeEventListener("wheel", wheel);
}

/** Two fingers zoom. One finger pans, which is the browser's own scrolling. */
function listenToPinch(box: HTMLElement, zoom: Zoom): () => void {
  let apart = 0;
  function measure({ touches }: TouchEvent) {
    const [one, other] = [touches[0], touches[1]];
    if (!one || !other || touches.length !== 2) return null;
    const { left, top } = box.getBoundingClientRect();
    return {
      apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
      x: (one.clientX + other.clientX) / 2 - left,
      y: (one.clientY + other.clientY) / 2 - top,
    };
  }
  function start(event: TouchEvent) {
    apart = measure(event)?.apart ?? 0;
  }
  function move(event: TouchEvent) {
    const now = measure(event);
    if (now === null || apart === 0) return;
    event.preventDefault();
    zoom(now.apart / apart, now.x, now.y);
    apart = now.apart;
  }
  box.addEventListener("touchstart", start, { passive: true });
  box.addEventListener("touchmove", move, { passive: false });
  return () => {
    box.removeEventListener("touchstart", start);
    box.removeEventListener("touchmove", move);
  };
}

/** The mouse can drag the background. */
function listenToDrag(box: HTMLElement): () => void {
  let last: { readonly x: number; readonly y: number } | null = null;
  function down(event: PointerEvent) {
    const onNode = event.target instanceof Element && event.target.closest("[role=treeitem]") !== null;
    if (event.pointerType !== "mouse" || event.button !== 0 || onNode) return;
    last = { x: event.clientX, y: event.clientY };
  }
  function move(event: PointerEvent) {
    if (last === null) return;
    box.scrollBy(last.x - event.clientX, last.y - event.clientY);
    last = { x: event.clientX, y: event.clientY };
  }
  const up = () => void (last = null);
  box.addEventListener("pointerdown", down);
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  return () => {
    box.removeEventListener("pointerdown", down);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
  };
}
