import { Workbox } from "workbox-window";
import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";
import { offerUpdate } from "./update.ts";

/** Milliseconds after which a page that comes to the front asks again for a newer version. The browser asks at every load by itself. */
const askAgainMs = 3_600_000;

/** Registers the service worker, and offers what waits. */
export async function register(): Promise<void> {
  const workbox = new Workbox(trustedWorkerUrl("./sw.js"), { scope: "./" });
  workbox.addEventListener("waiting", () => offerUpdate({ apply: () => workbox.messageSkipWaiting() }));
  await workbox.register({ immediate: true });

  let asked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - asked < askAgainMs) return;
    asked = Date.now();
    workbox.update().catch((error: unknown) => console.info("No newer version could be asked for.", error));
  });
}
