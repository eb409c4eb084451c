import { onCleanup } from "solid-js";
import type { Drafts } from "../docs/drafts.ts";

/** Whether a draft is a message: kept over a reload, so that leaving the page asks nothing. */
const isMessage = (key: string) => /^(?:dialog|sent|edit):/.test(key);

let unasked = false;

/** The next time this page goes it asks nothing: the person has said that what is not saved is to go. */
export const leaveUnasked = (): void => void (unasked = true);

let stored = () => true;

/** Whether what was typed is in the browser's storage, so that the screens may go: there may be no room for it. */
export const isTypedStored = (): boolean => stored();

/** Before the page goes: drafts are written, and unsaved files make the browser ask. A message not sent yet is kept and asks nothing. */
export function guardUnsaved(drafts: Drafts) {
  const leave = (event: BeforeUnloadEvent) => {
    drafts.flush();
    if (!unasked && Array.from(drafts.keys()).some((key) => !isMessage(key))) event.preventDefault();
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
    // The next screens find them there.
    drafts.flush();
    stored = () => true;
    removeEventListener("beforeunload", leave);
    removeEventListener("pagehide", hide);
    document.removeEventListener("visibilitychange", hide);
  });
}
