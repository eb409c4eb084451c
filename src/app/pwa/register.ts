import { Workbox } from "workbox-window";
import * as t from "../texts/offline.ts";
import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";
import type { WhenQuiet } from "./messages.ts";
import { offerUpdate } from "./update.ts";

/** Milliseconds after which a page that comes to the front asks again for a newer version. The browser asks at every load by itself. */
const askAgainMs = 3_600_000;

/** Milliseconds after which the newer version is told once more to take over: a browser that is short of time may end its worker before it does. */
const tellAgainMs = 2_000;

/** Milliseconds for the older version to say that it is quiet: a little more than it waits for that itself. */
const quietMs = 6_000;

/**
 * A browser ends the older worker before the newer one takes over. Chromium starts it again when any tab asks it for something in that moment,
 * some ten milliseconds on a busy machine, and does not try a second time before it has had nothing to do for half a minute.
 */
async function takeOver(workbox: Workbox, older: ServiceWorker | null | undefined): Promise<void> {
  if (older) await untilQuiet(older);
  workbox.messageSkipWaiting();
  // Until this page is reloaded.
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

/** Milliseconds before each further attempt to install the first service worker: a connection may break while its files are fetched. */
export const furtherAttemptsMs = [15_000, 60_000, 300_000] as const;

/** Registers the service worker, and offers what waits. Rejects when there is none, and none can be installed. */
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

/** As `install`; where that fails it is tried again after each of `further`, and rejects as the last attempt did. */
async function installAtLast([ms, ...later]: readonly number[]): Promise<Workbox> {
  if (ms === undefined) return install();
  return install().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return installAtLast(later);
  });
}

/** Registers the service worker, offers what waits, and asks for newer versions. Rejects where there can be none. */
export async function register(further: readonly number[] = []): Promise<void> {
  const workbox = await installAtLast(further);
  let asked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - asked < askAgainMs) return;
    asked = Date.now();
    workbox.update().catch((error: unknown) => console.info("No newer version could be asked for.", error));
  });
}
