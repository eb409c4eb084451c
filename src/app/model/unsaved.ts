import { onCleanup } from "solid-js";
import type { Drafts } from "../docs/drafts.ts";

/** Whether a draft is a message. Messages survive a reload, so leaving the page needs no question. */
const isMessage = (key: string) => /^(?:dialog|sent|edit):/.test(key);

let unasked = false;

/** The next time the page closes, it asks nothing: the user has agreed to lose what is not saved. */
export const leaveUnasked = (): void => void (unasked = true);

let stored = () => true;

/** Whether everything typed is in the browser's storage, so that the screens may be replaced. The storage may be full. */
export const isTypedStored = (): boolean => stored();

/**
 * Before the page closes, drafts are written. The browser asks if there are unsaved files, or drafts that didn't fit into the storage. Unsent messages
 * that are stored ask nothing.
 */
export function guardUnsaved(drafts: Drafts) {
  const leave = (event: BeforeUnloadEvent) => {
    drafts.flush();
    if (!unasked && (drafts.full() || Array.from(drafts.keys()).some((key) => !isMessage(key)))) event.preventDefault();
  };
  const hide = () => drafts.flush();
  stored = () => {
    drafts.flush();
    return !drafts.full();
  };
  addEventListener("beforeunload", leave);
  addEventListener("pagehide", hide);
  document.addEventListener("visibilitychange", hide);
  onCleanup(() => {
    // The next screens find the drafts there.
    drafts.flush();
    stored = () => true;
    removeEventListener("beforeunload", leave);
    removeEventListener("pagehide", hide);
    document.removeEventListener("visibilitychange", hide);
  });
}
