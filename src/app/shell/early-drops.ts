/**
 * Holds what is dropped on the page before its code for that is there: a browser would leave the page for it. `wake` is called whenever
 * something is dragged over it. `files` are for whoever takes them.
 */
export function holdDrops(wake: () => void): { readonly files: File[]; readonly stop: () => void } {
  const files: File[] = [];
  const hold = (event: DragEvent) => {
    const { dataTransfer } = event;
    if (event.defaultPrevented || dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    // There are none while they are only dragged.
    files.push(...dataTransfer.files);
    wake();
  };
  const kinds = ["dragover", "drop"] as const;
  for (const kind of kinds) addEventListener(kind, hold);
  return { files, stop: () => kinds.forEach((kind) => removeEventListener(kind, hold)) };
}
