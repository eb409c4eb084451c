/** The files dropped anywhere on the page. */
export interface Drops {
  /** Passes `take` the files dropped so far, and then each later drop. */
  takeBy(take: (files: readonly File[]) => void): void;
  stop(): void;
}

/**
 * Holds files that are dropped on the page, unless another handler takes them. Otherwise the browser would leave the page to open them. The taker may
 * come later: until then, each drag calls `wake`.
 */
export function createDrops(wake: () => void): Drops {
  const held: File[] = [];
  let give: ((files: readonly File[]) => void) | null = null;
  const hold = (event: DragEvent) => {
    const { dataTransfer } = event;
    if (event.defaultPrevented || dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    // Empty while the files are only dragged.
    held.push(...dataTransfer.files);
    if (give === null) wake();
    else give(held.splice(0));
  };
  const kinds = ["dragover", "drop"] as const;
  for (const kind of kinds) addEventListener(kind, hold);
  return {
    takeBy(take) {
      give = take;
      take(held.splice(0));
    },
    stop: () => kinds.forEach((kind) => removeEventListener(kind, hold)),
  };
}
