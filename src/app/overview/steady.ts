import { type Accessor, onCleanup } from "solid-js";
import { onChange } from "../ui/on-change.ts";

/** Milliseconds for which a button that has moved under the pointer can't be pressed. */
export const startled = 500;
/** Moves of fewer pixels don't count. */
const least = 2;

/**
 * Keeps the list still while the user is about to press something in it: the row under the pointer, else the row with the focus, else the first row
 * in view keeps its position when others are added, removed or resized. A button that moved anyway can't be pressed for a moment.
 */
export function createSteady(scroller: Accessor<HTMLElement | undefined>, content: Accessor<HTMLElement | undefined>) {
  /** The position of each button, and when it got there. */
  const places = new Map<Element, { top: number; since: number }>();
  let hovered: Element | null = null;
  let anchor: { readonly row: Element; readonly top: number; readonly scrolled: number } | null = null;
  /** The scroll height when the list was last settled. */
  let height = 0;

  const topOf = (element: Element) => element.getBoundingClientRect().top;

  function anchorRow(box: HTMLElement): Element | null {
    if (hovered?.isConnected) return hovered;
    const focused = document.activeElement?.closest("[role=row]") ?? null;
    const { top, bottom } = box.getBoundingClientRect();
    if (focused !== null && box.contains(focused) && topOf(focused) >= top && topOf(focused) < bottom) return focused;
    if (box.scrollTop <= 0) return null;
    return Array.from(box.querySelectorAll("[role=row][data-id]")).find((row) => topOf(row) >= top) ?? null;
  }
  /** Chooses the row that must stay where it is. */
  function aim() {
    const box = scroller();
    const row = box && anchorRow(box);
    anchor = box && row ? { row, top: topOf(row), scrolled: box.scrollTop } : null;
  }
  /** Settles, unless the user has scrolled: any other movement was caused by the list, whether an observer has reported it or not. */
  function settleUnlessScrolled() {
    if (scroller()?.scrollHeight !== height || scroller()?.scrollTop === anchor?.scrolled) settle();
  }
  /** After the user has scrolled, the new positions count. */
  function scrolled() {
    if (scroller()?.scrollHeight !== height) return settle();
    for (const [button, place] of places) place.top = topOf(button);
    aim();
  }
  /** The list has changed by itself. */
  function settle() {
    const box = scroller();
    if (!box) return;
    height = box.scrollHeight;
    if (anchor?.row.isConnected) {
      const moved = topOf(anchor.row) - anchor.top;
      if (Math.abs(moved) >= 1) box.scrollTop += moved;
    }
    for (const [button, place] of places) {
      const top = topOf(button);
      if (Math.abs(top - place.top) < least) continue;
      place.top = top;
      place.since = performance.now();
    }
    aim();
  }

  onChange([scroller, content], ([box, inside]) => {
    if (!box || !inside) return;
    const over = (event: PointerEvent) => {
      settleUnlessScrolled();
      const under = event.pointerType === "mouse" && event.target instanceof Element ? event.target : null;
      // While rows move, there is briefly a gap under the pointer. The last row stays the hovered one.
      if (under !== inside) hovered = under?.closest("[role=row][data-id]") ?? null;
      aim();
    };
    const left = () => {
      settleUnlessScrolled();
      hovered = null;
      aim();
    };
    const growth = new ResizeObserver(settle);
    growth.observe(inside);
    // Changes above the list move it, too.
    for (const part of box.children) growth.observe(part);
    box.addEventListener("pointerover", over);
    box.addEventListener("pointerleave", left);
    box.addEventListener("focusin", aim);
    box.addEventListener("scroll", scrolled, { passive: true });
    onCleanup(() => {
      growth.disconnect();
      box.removeEventListener("pointerover", over);
      box.removeEventListener("pointerleave", left);
      box.removeEventListener("focusin", aim);
      box.removeEventListener("scroll", scrolled);
    });
  });

  return {
    /** The rows have changed. They get their positions within two frames. */
    changed() {
      settle();
      requestAnimationFrame(() => {
        settleUnlessScrolled();
        requestAnimationFrame(settleUnlessScrolled);
      });
    },
    /** Watches a button until the owner is disposed. */
    watch(button: Element) {
      places.set(button, { top: topOf(button), since: performance.now() });
      onCleanup(() => places.delete(button));
    },
    /** Whether the button has just appeared or moved. */
    hasMoved(button: Element): boolean {
      const place = places.get(button);
      if (place === undefined) return true;
      // A move that no observer has reported yet.
      if (Math.abs(topOf(button) - place.top) >= least) settle();
      return performance.now() - place.since < startled;
    },
  };
}
export type Steady = ReturnType<typeof createSteady>;
