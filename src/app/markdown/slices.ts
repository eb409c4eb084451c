/** Milliseconds of a frame in which texts are made into nodes. What is left waits for the next one, so that keys and clicks are heard. */
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

/** Milliseconds that the layout of an element and of a UTF-16 unit may take. */
const layout = { element: 0.02, unit: 0.0005 } as const;

/** Takes from this frame's time what the browser may need to lay out so many elements, which show so many UTF-16 `units`. */
export function chargeLayout(elements: number, units: number): void {
  if (until !== null) until -= elements * layout.element + units * layout.unit;
}

/** How many elements it costs to lay out `element`: an item of a list comes with its sign, which is laid out apart. */
export const layoutElements = (element: Element): number =>
  1 + element.querySelectorAll("*").length + 2 * element.querySelectorAll("li").length;

/** Runs `work` in the next frame, after its budget has begun; what it gives back keeps that from happening. */
export function inNextFrame(work: () => void): () => void {
  const frame = requestAnimationFrame(work);
  return () => cancelAnimationFrame(frame);
}
