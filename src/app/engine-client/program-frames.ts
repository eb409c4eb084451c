import * as t from "../texts/program-frames.ts";

export interface ProgramFrames {
  /** Makes a hidden frame for the programs of one dialog's commands, and gives it the shell's port; see `public/program/index.html`. */
  open(id: number, port: MessagePort): void;
  /** Takes it away, with all that runs in it. */
  close(id: number): void;
  closeAll(): void;
}

/**
 * The frames of this page in which `node` runs programs. Each has an origin of its own, which reaches nothing, and belongs to one dialog; the page
 * says one word to it and hears nothing of it.
 */
export function programFrames(): ProgramFrames {
  const frames = new Map<number, HTMLIFrameElement>();

  function close(id: number): void {
    frames.get(id)?.remove();
    frames.delete(id);
  }

  return {
    open(id, port) {
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = t.title;
      // Before its address: without it, what runs there would have this page's origin.
      frame.setAttribute("sandbox", "allow-scripts");
      frame.setAttribute("referrerpolicy", "no-referrer");
      frame.src = new URL("program/index.html", document.baseURI).href;
      // An origin that is none can't be named; whatever else is loaded there finds no port in a second word.
      frame.addEventListener("load", () => frame.contentWindow?.postMessage("hello", "*", [port]), { once: true });
      frames.set(id, frame);
      document.body.append(frame);
    },
    close,
    closeAll() {
      for (const id of frames.keys()) close(id);
    },
  };
}
