import { createEffect, on, onCleanup, type Accessor } from "solid-js";
import type { Mounted } from "./editor-mount.ts";

/** Calls `look` at once, and again when the editor's text was unchanged for `pause` milliseconds. `changes` increases with each change. */
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
