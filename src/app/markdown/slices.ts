/** Milliseconds per frame for turning texts into nodes. The rest waits for the next frame, so that keys and clicks are handled. */
const budget = 8;

let until: number | null = null;

/** Whether there is time left in this frame. */
export function hasTime(): boolean {
  if (until === null) {
    until = performance.now() + budget;
    requestAnimationFrame(() => {
      until = null;
    });
  }
  return performance.now() < until;
}

/** Milliseconds that the layout of one element, and of one UTF-16 unit, may take. */
const layout = { element: 0.02, unit: 0.0005 } as const;

/** Subtracts from this frame's time what the browser may need to lay out this many elements with this many UTF-16 `units`. */
export function chargeLayout(elements: number, units: number): void {
  if (until !== null) until -= elements * layout.element + units * layout.unit;
}

/** The number of elements that count for laying out `element`: the marker of a list item is laid out separately. */
export const layoutElements = (element: Element): number =>
  1 + element.querySelectorAll("*").length + 2 * element.querySelectorAll("li").length;

/** Runs `work` in the next frame, after its budget has begun. Returns a function that cancels it. */
export function inNextFrame(work: () => void): () => void {
  const frame = requestAnimationFrame(work);
  return () => cancelAnimationFrame(frame);
}
