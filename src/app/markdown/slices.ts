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

/** Takes away from this frame's time what the browser will need to lay out what was made. */
export function charge(ms: number): void {
  if (until !== null) until -= ms;
}

/** Runs `work` in the next frame, after its budget has begun; what it gives back keeps that from happening. */
export function inNextFrame(work: () => void): () => void {
  const frame = requestAnimationFrame(work);
  return () => cancelAnimationFrame(frame);
}
