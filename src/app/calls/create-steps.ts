import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import { hasTime, inNextFrame } from "../markdown/slices.ts";

/** As much of a long list as the frames so far had time to put into the page, `stride` items at a time. */
export function createSteps<T>(list: Accessor<readonly T[]>, stride: number): Accessor<readonly T[]> {
  const [shown, setShown] = createSignal<readonly T[]>([]);
  createEffect(
    on(list, (all) => {
      let at = 0;
      let cancel = () => {};
      function show() {
        at = Math.min(all.length, at + stride);
        setShown(all.slice(0, at));
      }
      function continueLater() {
        if (at < all.length) cancel = inNextFrame(step);
      }
      function step() {
        do show();
        while (at < all.length && hasTime());
        continueLater();
      }
      // No more at once: what an effect sets is put into the page only when the effect ends, so it would see no time pass.
      show();
      continueLater();
      onCleanup(() => cancel());
    }),
  );
  return shown;
}
