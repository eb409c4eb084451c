import { type Accessor, createSignal, onCleanup } from "solid-js";

/**
 * Shows an element over everything else: with a layout of its own, and in the browser's full screen if it is available. The browser's Escape key
 * leaves it, even while a page inside has the keyboard focus.
 */
export function createWholeScreen(element: Accessor<HTMLElement | undefined>) {
  const [on, setOn] = createSignal(false);
  const changed = () => {
    if (document.fullscreenElement === null) setOn(false);
  };
  // If only the layout is used, this page has to handle the key itself.
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
