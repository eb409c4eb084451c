/**
 * Holds what is dragged over the page before its code for that is there: a browser would leave the page for a file that is dropped. `ready`
 * fetches that code, and what was dropped meanwhile is dropped again. Returns the way to stop.
 */
export function holdEarlyDrops(ready: () => Promise<unknown>): () => void {
  const hold = (event: DragEvent) => {
    const files = Array.from(event.dataTransfer?.files ?? []);
    if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    void give(event.type === "drop" ? files : []);
  };
  async function give(files: readonly File[]): Promise<void> {
    await ready();
    stop();
    if (files.length > 0) dispatchEvent(new DragEvent("drop", { cancelable: true, dataTransfer: transferOf(files) }));
  }
  const stop = () => {
    removeEventListener("dragover", hold);
    removeEventListener("drop", hold);
  };
  addEventListener("dragover", hold);
  addEventListener("drop", hold);
  return stop;
}

/** What was dropped is taken from an event when that is over; the files stay. */
function transferOf(files: readonly File[]): DataTransfer {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer;
}
