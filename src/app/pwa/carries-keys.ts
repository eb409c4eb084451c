import { type Accessor, createSignal, onCleanup, onMount } from "solid-js";
import { isOwn } from "./lend-engine.ts";

/** Whether the service worker is there to carry the session's keys over a reload. */
async function carriesKeys(): Promise<boolean> {
  try {
    const registration = await navigator.serviceWorker.getRegistration("./");
    return isOwn(registration?.active);
  } catch {
    // A browser that keeps nothing refuses the question.
    return false;
  }
}

/** The same, as it is now; false where the browser has no service worker for this page. */
export function createCarriesKeys(): Accessor<boolean> {
  const [carries, setCarries] = createSignal(false);
  onMount(() => {
    if (!("serviceWorker" in navigator)) return;
    const look = () => void carriesKeys().then(setCarries);
    look();
    // The first one takes over this page as soon as it is there.
    navigator.serviceWorker.addEventListener("controllerchange", look);
    onCleanup(() => navigator.serviceWorker.removeEventListener("controllerchange", look));
  });
  return carries;
}
