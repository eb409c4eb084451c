import { type Accessor, createSignal, onCleanup, onMount } from "solid-js";
import { isOwn } from "./lend-engine.ts";

/** Whether the service worker exists, which carries the session's keys over a reload. */
async function carriesKeys(): Promise<boolean> {
  try {
    const registration = await navigator.serviceWorker.getRegistration("./");
    return isOwn(registration?.active);
  } catch {
    // A browser without storage refuses the question.
    return false;
  }
}

/** The same as a reactive value; false if the browser has no service worker for this page. */
export function createCarriesKeys(): Accessor<boolean> {
  const [carries, setCarries] = createSignal(false);
  onMount(() => {
    if (!("serviceWorker" in navigator)) return;
    const look = () => void carriesKeys().then(setCarries);
    look();
    // The first service worker takes over this page as soon as it is active.
    navigator.serviceWorker.addEventListener("controllerchange", look);
    onCleanup(() => navigator.serviceWorker.removeEventListener("controllerchange", look));
  });
  return carries;
}
