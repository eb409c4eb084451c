/** What is dropped anywhere on the page. */
export interface Drops {
  /** Gives to `take` what was dropped until now, and from now on whatever is. */
  takeBy(take: (files: readonly File[]) => void): void;
  stop(): void;
}

/**
 * Holds what is dropped on the page, but where someone else takes it: a browser would leave the page for it. Anyone who takes it may come later;
 * until then `wake` is called whenever something is dragged.
 */
export function createDrops(wake: () => void): Drops {
  const held: File[] = [];
  let give: ((files: readonly File[]) => void) | null = null;
  const hold = (event: DragEvent) => {
    const { dataTransfer } = event;
    if (event.defaultPrevented || dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    // There are none while they are only dragged.
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
