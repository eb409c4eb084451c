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

/** Takes from this frame's time what the browser may need to lay out `element`, which shows so many UTF-16 `units`. */
export function chargeLayout(element: Element, units: number): void {
  if (until !== null) until -= (element.querySelectorAll("*").length + 1) * layout.element + units * layout.unit;
}

/** Runs `work` in the next frame, after its budget has begun; what it gives back keeps that from happening. */
export function inNextFrame(work: () => void): () => void {
  const frame = requestAnimationFrame(work);
  return () => cancelAnimationFrame(frame);
}
