import { createEffect, createRoot, createSignal } from "solid-js";
import { isWorking, offerUpdate } from "./update.ts";

/**
 * Reloads this page when a newer version takes over, whichever tab applied it. While agents work here, it waits until they are done. `isReplaceable`:
 * there was a service worker before. The first one takes over the page that installed it, which has the same version and stays. Returns a function
 * that ends it.
 */
export function reloadWhenReplaced(container: EventTarget, isReplaceable: () => boolean, reload = () => location.reload()): () => void {
  return createRoot((end) => {
    const [isReplaced, setReplaced] = createSignal(false);
    let hasOne = false;
    const changed = () => {
      if (hasOne || isReplaceable()) setReplaced(true);
      hasOne = true;
    };
    container.addEventListener("controllerchange", changed);
    createEffect(() => {
      if (!isReplaced()) return;
      if (isWorking()) offerUpdate({ apply: reload, taken: true });
      else reload();
    });
    return () => {
      container.removeEventListener("controllerchange", changed);
      end();
    };
  });
}
