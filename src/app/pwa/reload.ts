import { createEffect, createRoot, createSignal } from "solid-js";
import { isWorking, offerUpdate } from "./update.ts";

/**
 * Loads this page again when a newer version takes over, in whatever tab that was asked for, and while its agents work as soon as they are done. `isReplaceable`: a service
 * worker was here before. The first one of all takes over the page that installed it, which is of its version and stays. Returns the way to end it.
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
