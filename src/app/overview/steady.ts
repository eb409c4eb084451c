import { type Accessor, createEffect, on, onCleanup } from "solid-js";

/** Milliseconds for which what has moved under a pointer is not pressed by it. */
export const startled = 500;
/** Pixels that count as no move. */
const least = 2;

/**
 * Keeps the list where it is while a person is about to press something in it: the row under the pointer, else the one with the focus, else
 * the first one in sight stays at its height when others come, go or grow. What moved all the same can't be pressed for a moment.
 */
export function createSteady(scroller: Accessor<HTMLElement | undefined>, content: Accessor<HTMLElement | undefined>) {
  /** Where each button was, and when it came there. */
  const places = new Map<Element, { top: number; since: number }>();
  let hovered: Element | null = null;
  let anchor: { readonly row: Element; readonly top: number; readonly scrolled: number } | null = null;
  /** Of all that scrolls, when it was last settled. */
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
  /** Chooses the row that is to stay where it is now. */
  function aim() {
    const box = scroller();
    const row = box && anchorRow(box);
    anchor = box && row ? { row, top: topOf(row), scrolled: box.scrollTop } : null;
  }
  /** Without a scroll, what has moved was moved by the list, whether an observer has told of it or not. */
  function settleUnlessScrolled() {
    if (scroller()?.scrollHeight !== height || scroller()?.scrollTop === anchor?.scrolled) settle();
  }
  /** Where a person has scrolled things is where they are. */
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

  createEffect(
    on([scroller, content], ([box, inside]) => {
      if (!box || !inside) return;
      const over = (event: PointerEvent) => {
        settleUnlessScrolled();
        const under = event.pointerType === "mouse" && event.target instanceof Element ? event.target : null;
        // While rows move to their places there is a gap under the pointer for a moment: the last row counts on.
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
      // What stands above the list moves it, too.
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
    }),
  );

  return {
    /** The rows are others now. They are put in their places within two frames. */
    changed() {
      settle();
      requestAnimationFrame(() => {
        settleUnlessScrolled();
        requestAnimationFrame(settleUnlessScrolled);
      });
    },
    /** Watches a button for as long as the owner lives. */
    watch(button: Element) {
      places.set(button, { top: topOf(button), since: performance.now() });
      onCleanup(() => places.delete(button));
    },
    /** Whether the button has just come, or come to where it is. */
    hasMoved(button: Element): boolean {
      const place = places.get(button);
      if (place === undefined) return true;
      // What no observer has told of yet.
      if (Math.abs(topOf(button) - place.top) >= least) settle();
      return performance.now() - place.since < startled;
    },
  };
}
export type Steady = ReturnType<typeof createSteady>;
