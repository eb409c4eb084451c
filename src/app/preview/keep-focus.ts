/**
 * Returns the focus if a page that opened by itself takes it by script, until the user goes to the preview with the pointer or Tab. Returns a
 * function that stops this.
 */
export function keepFocus(pane: HTMLElement): () => void {
  const stop = new AbortController();
  const how = { signal: stop.signal, capture: true };
  let last = document.activeElement;
  let tabbed = false;
  document.addEventListener("focusin", ({ target }) => target instanceof Element && !pane.contains(target) && (last = target), how);
  document.addEventListener("keydown", ({ key }) => (tabbed = key === "Tab"), how);
  // A touch in the frame is reported nowhere else.
  for (const coming of ["pointerenter", "pointerdown"]) pane.addEventListener(coming, () => stop.abort(), { signal: stop.signal });
  addEventListener(
    "blur",
    () => {
      const now = document.activeElement;
      if (!(now instanceof HTMLIFrameElement) || !pane.contains(now)) return;
      if (tabbed || matchMedia("(pointer: coarse)").matches) stop.abort();
      // The focus can't be moved while it is moving.
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
