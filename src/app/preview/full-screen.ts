import { type Accessor, createSignal, onCleanup } from "solid-js";

/**
 * An element over everything else: by a layout of its own, and by the browser's full screen where there is one. The browser's Escape
 * leads out of it even while a page inside has the keyboard.
 */
export function createWholeScreen(element: Accessor<HTMLElement | undefined>) {
  const [on, setOn] = createSignal(false);
  const changed = () => {
    if (document.fullscreenElement === null) setOn(false);
  };
  // Where only the layout is there, this page has to hear the key itself.
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Escape" && on()) leave();
  };
  document.addEventListener("fullscreenchange", changed);
  document.addEventListener("keydown", pressed);
  onCleanup(() => {
    document.removeEventListener("fullscreenchange", changed);
    document.removeEventListener("keydown", pressed);
    leave();
  });
  function enter() {
    setOn(true);
    if (!document.fullscreenEnabled) return;
    element()
      ?.requestFullscreen()
      .catch((error: unknown) => console.info("The browser gave no full screen; the layout is used alone.", error));
  }
  function leave() {
    setOn(false);
    if (document.fullscreenElement === null) return;
    document.exitFullscreen().catch((error: unknown) => console.info("The browser was not in full screen any more.", error));
  }
  return { on, enter, leave };
}
