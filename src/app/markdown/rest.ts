/** The width in pixels that an element had when its height was measured. */
const widths = new WeakMap<Element, number>();

const sizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const { width, height } = contentRect;
    const known = widths.get(target);
    if (!(target instanceof HTMLElement) || width === 0 || width === known) continue;
    // In the next frame, because a change during the size callback would be an error in the page.
    if (known === undefined) requestAnimationFrame(() => rest(target, height));
    else requestAnimationFrame(() => measure(target));
    if (known === undefined) widths.set(target, width);
    else widths.delete(target);
  }
});

function rest(element: HTMLElement, height: number) {
  element.style.setProperty("contain-intrinsic-block-size", `auto ${height}px`);
  element.classList.add("rests");
}
/** With another width, it has another height. */
function measure(element: HTMLElement) {
  element.classList.remove("rests");
  sizes.unobserve(element);
  sizes.observe(element);
}

/**
 * From now on, the browser neither lays out nor paints the element while it is far out of view. Its height stays the same, so nothing moves. It can
 * still be found, read aloud and printed.
 */
export const restOutOfSight = (element: HTMLElement): void => sizes.observe(element);
