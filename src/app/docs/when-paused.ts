import { createEffect, on, onCleanup, type Accessor } from "solid-js";
import type { Mounted } from "./editor-mount.ts";

/** What is read off the editor's text: at once, and again when it was not changed for `pause` milliseconds. `changes` grows with each change. */
export function createWhenPaused(editor: Accessor<Mounted>, changes: Accessor<number>, pause: number, look: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  createEffect(on(editor, look));
  createEffect(
    on(
      changes,
      () => {
        clearTimeout(timer);
        timer = setTimeout(look, pause);
      },
      { defer: true },
    ),
  );
  onCleanup(() => clearTimeout(timer));
}
