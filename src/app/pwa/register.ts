import { Workbox } from "workbox-window";
import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";
import { offerUpdate } from "./update.ts";

/** Milliseconds after which a page that comes to the front asks again for a newer version. The browser asks at every load by itself. */
const askAgainMs = 3_600_000;

/** Milliseconds after which the newer version is told once more to take over: a browser that is short of time may end its worker before it does. */
const tellAgainMs = 2_000;

function takeOver(workbox: Workbox): void {
  workbox.messageSkipWaiting();
  // Until this page is loaded anew.
  setInterval(() => workbox.messageSkipWaiting(), tellAgainMs);
}

/** Registers the service worker, and offers what waits. */
export async function register(): Promise<void> {
  const workbox = new Workbox(trustedWorkerUrl("./sw.js"), { scope: "./" });
  workbox.addEventListener("waiting", () => offerUpdate({ apply: () => takeOver(workbox) }));
  await workbox.register({ immediate: true });

  let asked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - asked < askAgainMs) return;
    asked = Date.now();
    workbox.update().catch((error: unknown) => console.info("No newer version could be asked for.", error));
  });
}
