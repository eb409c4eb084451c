import { createSignal } from "solid-js";
import { createLatest } from "../api/latest.ts";
import { fileSize } from "../shell/words.ts";

/** How safe the project is in this browser, in a sentence, and a way to make it safer. */
export function createStorageState() {
  const [asked, setAsked] = createSignal(0);
  const state = createLatest(asked, async () => {
    const persisted = (await navigator.storage?.persisted?.()) ?? false;
    const used = (await navigator.storage?.estimate?.())?.usage;
    return { persisted, used: used === undefined ? null : fileSize(used) };
  });
  return {
    state,
    async ask() {
      const granted = (await navigator.storage?.persist?.()) ?? false;
      setAsked(asked() + 1);
      return granted;
    },
  };
}
