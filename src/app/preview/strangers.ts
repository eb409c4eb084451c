/** Messages in a second, from anywhere in the frame but the one that may speak. */
const mostStrange = 1_000;

/** Whether a message came from a frame in this one, or from one that is gone by now. */
export function isWithin(source: MessageEventSource | null, window: Window): boolean {
  if (source === null) return true;
  if (!("parent" in source)) return false;
  for (let at: Window = source; ; at = at.parent) {
    if (at.parent === window) return true;
    if (at.parent === at) return false;
  }
}

/** Counts messages that no one asked for; `flooded` is called when a second brings more than anyone can take. */
export function createStrangers(flooded: () => void): () => void {
  let since = 0;
  let count = 0;
  return () => {
    if (performance.now() - since > 1_000) {
      since = performance.now();
      count = 0;
    }
    count++;
    if (count === mostStrange) flooded();
  };
}
