import { createSignal } from "solid-js";
import { visible } from "../calls/visible.ts";
import * as t from "../texts/composer.ts";

export interface FileDropDeps {
  /** Whether writing is blocked now. */
  readonly blocked: () => boolean;
  readonly dialogId: () => string;
  /** Inserts the words that a message uses for a file. By then, another dialog may be open. */
  readonly insert: (dialogId: string, words: string) => void;
  readonly failed: (message: string | null) => void;
}

/** Files are taken one at a time, wherever they were dropped, because each looks for a name that no other file has. */
let last: Promise<void> = Promise.resolve();

/** Files that are dropped on a message box or pasted into it. */
export function createFileDrop(deps: FileDropDeps) {
  const [over, setOver] = createSignal(false);
  const [taking, setTaking] = createSignal<string | null>(null);

  let waiting = 0;

  function take(files: readonly File[]) {
    const dialogId = deps.dialogId();
    // If earlier files are still being taken, their problems aren't known yet.
    if (waiting++ === 0) deps.failed(null);
    last = last.then(() => takeNow(dialogId, files)).finally(() => waiting--);
  }
  async function takeNow(dialogId: string, files: readonly File[]) {
    try {
      const { attach } = await import("./attach.ts");
      for (const file of files) {
        setTaking(file.name);
        const taken = await attach(file);
        if (taken.ok) deps.insert(dialogId, taken.words);
        else deps.failed(taken.message);
      }
    } catch (error) {
      deps.failed(t.notTaken(error instanceof Error ? error.message : String(error)));
    }
    setTaking(null);
  }
  function onDragOver(event: DragEvent) {
    if (event.dataTransfer?.types.includes("Files") !== true || deps.blocked()) return;
    event.preventDefault();
    setOver(true);
  }
  function onDrop(event: DragEvent) {
    setOver(false);
    const files = Array.from(event.dataTransfer?.files ?? []);
    if (files.length === 0 || deps.blocked()) return;
    event.preventDefault();
    take(files);
  }
  /** Pasted text stays text, even if the clipboard also contains a picture of it. */
  function onPaste(event: ClipboardEvent) {
    const files = Array.from(event.clipboardData?.files ?? []);
    if (files.length === 0 || deps.blocked() || event.clipboardData?.types.includes("text/plain") === true) return;
    event.preventDefault();
    take(files);
  }

  return {
    /** Whether files are being dragged over the box. */
    over,
    listen(element: HTMLElement) {
      element.addEventListener("dragover", onDragOver);
      element.addEventListener("dragleave", () => setOver(false));
      element.addEventListener("drop", onDrop);
      element.addEventListener("paste", onPaste);
    },
    /** What is happening, in words; null if nothing is. */
    words(): string | null {
      const name = taking();
      if (name !== null) return t.takingFile(visible(name));
      return over() ? t.dropHere : null;
    },
  };
}
