/**
 * A page that was opened unasked may take the focus by script: it goes back to where it was, until the person has come to the preview by pointer or
 * by Tab. Returns the way to stop.
 */
export function keepFocus(pane: HTMLElement): () => void {
  const stop = new AbortController();
  const how = { signal: stop.signal, capture: true };
  let last = document.activeElement;
  let tabbed = false;
  document.addEventListener("focusin", ({ target }) => target instanceof Element && !pane.contains(target) && (last = target), how);
  document.addEventListener("keydown", ({ key }) => (tabbed = key === "Tab"), how);
  // A finger in the frame is heard nowhere else.
  for (const coming of ["pointerenter", "pointerdown"]) pane.addEventListener(coming, () => stop.abort(), { signal: stop.signal });
  addEventListener(
    "blur",
    () => {
      const now = document.activeElement;
      if (!(now instanceof HTMLIFrameElement) || !pane.contains(now)) return;
      if (tabbed || matchMedia("(pointer: coarse)").matches) stop.abort();
      // While the focus moves it can't be moved.
      else setTimeout(() => giveBack(now));
    },
    { signal: stop.signal },
  );
  function giveBack(frame: HTMLIFrameElement) {
    if (document.activeElement !== frame) return;
    if (last instanceof HTMLElement && last.isConnected && last !== document.body) last.focus({ preventScroll: true });
    else frame.blur();
  }
  return () => stop.abort();
}
