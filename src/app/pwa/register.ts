import { Workbox } from "workbox-window";
import * as t from "../texts/offline.ts";
import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";
import type { WhenQuiet } from "./messages.ts";
import { offerUpdate } from "./update.ts";

/** Milliseconds after which a page that becomes visible checks for a newer version. The browser itself checks at every load. */
const askAgainMs = 3_600_000;

/** Milliseconds after which the newer version is told again to take over: a browser that is short of time may end its worker before it does. */
const tellAgainMs = 2_000;

/** Milliseconds for the older version to report that it is quiet: a little longer than it waits itself. */
const quietMs = 6_000;

/**
 * A browser ends the older worker before the newer one takes over. If any tab sends the older one a request at that moment (some ten milliseconds on
 * a busy machine), Chromium starts it again, and doesn't retry before it has been idle for half a minute.
 */
async function takeOver(workbox: Workbox, older: ServiceWorker | null | undefined): Promise<void> {
  if (older) await untilQuiet(older);
  workbox.messageSkipWaiting();
  // Repeats until this page is reloaded.
  setInterval(() => workbox.messageSkipWaiting(), tellAgainMs);
}

function untilQuiet(worker: ServiceWorker): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<void>((resolve) => {
    port1.addEventListener("message", () => resolve(), { once: true });
    port1.start();
    setTimeout(resolve, quietMs);
    worker.postMessage({ type: "WHEN_QUIET" } satisfies WhenQuiet, [port2]);
  }).finally(() => port1.close());
}

/** Milliseconds before each further attempt to install the first service worker: the connection may break while its files are fetched. */
export const furtherAttemptsMs = [15_000, 60_000, 300_000] as const;

/** Registers the service worker, and offers a waiting version. Rejects if none can be installed. */
async function install(): Promise<Workbox> {
  const workbox = new Workbox(trustedWorkerUrl("./sw.js"), { scope: "./" });
  workbox.addEventListener("waiting", () => offerUpdate({ apply: () => void takeOver(workbox, registration?.active) }));
  const registration = await workbox.register({ immediate: true });
  const first = registration?.active ? null : registration?.installing;
  if (first) await untilInstalled(first);
  return workbox;
}

function untilInstalled(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === "redundant") reject(new Error(t.filesNotFetched));
      else if (worker.state !== "installing") resolve();
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

/** Like `install`. If it fails, it is tried again after each of the times, and finally rejects like the last attempt. */
async function installAtLast([ms, ...later]: readonly number[]): Promise<Workbox> {
  if (ms === undefined) return install();
  return install().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return installAtLast(later);
  });
}

/** Registers the service worker, offers a waiting version, and checks for newer versions. Rejects if there can be no service worker. */
export async function register(further: readonly number[] = []): Promise<void> {
  const workbox = await installAtLast(further);
  let asked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - asked < askAgainMs) return;
    asked = Date.now();
    workbox.update().catch((error: unknown) => console.info("No newer version could be asked for.", error));
  });
}
