/** Pixels in which an element stood when its height was taken. */
const widths = new WeakMap<Element, number>();

const sizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const { width, height } = contentRect;
    const known = widths.get(target);
    if (!(target instanceof HTMLElement) || width === 0 || width === known) continue;
    // In the next frame, since what changes while sizes are told is an error of the page.
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
/** In another width it has another height. */
function measure(element: HTMLElement) {
  element.classList.remove("rests");
  sizes.unobserve(element);
  sizes.observe(element);
}

/**
 * From now on the browser neither lays out nor paints the element while it is far out of sight. Its height stays what it is, so nothing moves; it is
 * still found, read aloud and printed.
 */
export const restOutOfSight = (element: HTMLElement): void => sizes.observe(element);
