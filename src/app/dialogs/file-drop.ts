import { createSignal } from "solid-js";
import { visible } from "../calls/visible.ts";
import * as t from "../texts/composer.ts";

export interface FileDropDeps {
  /** Nothing can be written now. */
  readonly blocked: () => boolean;
  readonly dialogId: () => string;
  /** Takes up what the message says of a file. The dialog may be another one by then than the one that shows. */
  readonly insert: (dialogId: string, words: string) => void;
  readonly failed: (message: string | null) => void;
}

/** Files are taken one after the other, wherever they were dropped: each looks for a name that no other file has. */
let last: Promise<void> = Promise.resolve();

/** Files that are dropped on a message or pasted into it. */
export function createFileDrop(deps: FileDropDeps) {
  const [over, setOver] = createSignal(false);
  const [taking, setTaking] = createSignal<string | null>(null);

  let waiting = 0;

  function take(files: readonly File[]) {
    const dialogId = deps.dialogId();
    // What went wrong with those before is not known yet.
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
  /** Text that is pasted is text, also where the clipboard holds a picture of it. */
  function onPaste(event: ClipboardEvent) {
    const files = Array.from(event.clipboardData?.files ?? []);
    if (files.length === 0 || deps.blocked() || event.clipboardData?.types.includes("text/plain") === true) return;
    event.preventDefault();
    take(files);
  }

  return {
    /** Files are held over it. */
    over,
    listen(element: HTMLElement) {
      element.addEventListener("dragover", onDragOver);
      element.addEventListener("dragleave", () => setOver(false));
      element.addEventListener("drop", onDrop);
      element.addEventListener("paste", onPaste);
    },
    /** What continues, in words; null when nothing does. */
    words(): string | null {
      const name = taking();
      if (name !== null) return t.takingFile(visible(name));
      return over() ? t.dropHere : null;
    },
  };
}
