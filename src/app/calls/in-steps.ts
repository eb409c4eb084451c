import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import { hasTime, inNextFrame } from "../markdown/slices.ts";

/** As much of a long list as the frames so far had time to put into the page, `stride` items at a time. */
export function inSteps<T>(list: Accessor<readonly T[]>, stride: number): Accessor<readonly T[]> {
  const [shown, setShown] = createSignal<readonly T[]>([]);
  createEffect(
    on(list, (all) => {
      let at = 0;
      function step() {
        do {
          at = Math.min(all.length, at + stride);
          setShown(all.slice(0, at));
        } while (at < all.length && hasTime());
        cancel = at < all.length ? inNextFrame(step) : () => {};
      }
      setShown([]);
      // Not at once: what an effect sets is put into the page only when it ends, so it would see no time pass.
      let cancel = inNextFrame(step);
      onCleanup(() => cancel());
    }),
  );
  return shown;
}
