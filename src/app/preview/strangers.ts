/** The maximum number of messages per second from anywhere in the frame except the one window that may send them. */
const mostStrange = 1_000;

/** Whether a message came from a frame inside this one, or from a frame that no longer exists. */
export function isWithin(source: MessageEventSource | null, window: Window): boolean {
  if (source === null) return true;
  if (!("parent" in source)) return false;
  for (let at: Window = source; ; at = at.parent) {
    if (at.parent === window) return true;
    if (at.parent === at) return false;
  }
}

/** Counts unexpected messages. Calls `flooded` if there are too many in a second. */
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
