import { type Accessor, createSignal, onCleanup } from "solid-js";
import { hasTime, inNextFrame } from "../markdown/slices.ts";
import { onChange } from "../ui/on-change.ts";

/** The part of a long list that the frames so far had time to add to the page, `stride` items at a time. */
export function createSteps<T>(list: Accessor<readonly T[]>, stride: number): Accessor<readonly T[]> {
  const [shown, setShown] = createSignal<readonly T[]>([]);
  onChange(list, (all) => {
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
    // Only one step at first: what an effect sets reaches the page only after the effect ends, so time would not seem to pass.
    show();
    continueLater();
    onCleanup(() => cancel());
  });
  return shown;
}
