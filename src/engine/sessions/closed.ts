/** Sessions that a program outside has closed since this engine started. A message opens one again. The file stays as it is. */
export interface Closed {
  has(id: string): boolean;
  close(id: string): void;
  reopen(id: string): void;
  /** Calls the listener for each closed session. Returns a function that stops it. */
  watch(listener: (id: string) => void): () => void;
}

export function createClosed(): Closed {
  const ids = new Set<string>();
  const listeners = new Set<(id: string) => void>();
  return {
    has: (id) => ids.has(id),
    close(id) {
      ids.add(id);
      for (const listener of listeners) listener(id);
    },
    reopen: (id) => void ids.delete(id),
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
