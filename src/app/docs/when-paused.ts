import { onCleanup, type Accessor } from "solid-js";
import type { Mounted } from "./editor-mount.ts";
import { onChange } from "../ui/on-change.ts";

/**
 * Calls `look` soon, and again when the editor's text was unchanged for `pause` milliseconds. `changes` increases with each change. The first call is
 * a task of its own, because to mount the editor with a long text takes most of the time that a task may take.
 */
export function createWhenPaused(editor: Accessor<Mounted>, changes: Accessor<number>, pause: number, look: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lookIn = (delay: number) => {
    clearTimeout(timer);
    timer = setTimeout(look, delay);
  };
  onChange(editor, () => lookIn(0));
  onChange(changes, () => lookIn(pause), { defer: true });
  onCleanup(() => clearTimeout(timer));
}
