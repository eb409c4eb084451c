import * as t from "../texts/sandbox.ts";
import { isIsolation, type Isolation, isolationCache, isolationKey } from "./isolation-flag.ts";

const scope = () => new URL("./", document.baseURI).href;

/** The isolation turned on in this browser for all pages of the app; null: none. */
export async function readIsolation(): Promise<Isolation | null> {
  if (!(await caches.has(isolationCache(scope())))) return null;
  const kept = await (await caches.open(isolationCache(scope()))).match(isolationKey(scope()));
  const text = (await kept?.text()) ?? "";
  return isIsolation(text) ? text : null;
}

/** The isolation that this page was loaded with: the one turned on here, else the one that the host sent; null: none that is known. */
export async function isolationMode(): Promise<Isolation | null> {
  const chosen = await readIsolation();
  if (chosen !== null) return chosen;
  const { headers } = await fetch(document.baseURI, { method: "HEAD" });
  const sent = headers.get("Cross-Origin-Embedder-Policy")?.split(";")[0]?.trim() ?? "";
  return isIsolation(sent) ? sent : null;
}

/** Whether this browser can isolate the app's pages at all. The development server has no service worker. */
export const canIsolate = (): boolean =>
  "crossOriginIsolated" in globalThis && "caches" in globalThis && "serviceWorker" in navigator && import.meta.env.PROD;

/**
 * Browsers without the milder policy don't support credentialless frames either. The stricter policy costs nothing here, but demands more of servers
 * in the container.
 */
const best = (): Isolation => ("credentialless" in HTMLIFrameElement.prototype ? "credentialless" : "require-corp");

/** Milliseconds for the service worker to become active: it first stores every file of the app, which is a download the first time. */
const patienceMs = 120_000;

/**
 * From the next load on, all pages of the app are isolated. Rejects with the browser's message if it refuses the service worker or the storage; then
 * nothing is turned on.
 */
export async function turnOnIsolation(): Promise<void> {
  await workerReady();
  const cache = await caches.open(isolationCache(scope()));
  await cache.put(isolationKey(scope()), new Response(best()));
}

export async function turnOffIsolation(): Promise<void> {
  await caches.delete(isolationCache(scope()));
}

/** Waits for the service worker that will answer the next load. */
async function workerReady(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration("./");
  if (registration?.active) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(t.workerLate)), patienceMs);
  });
  try {
    await Promise.race([installed(registration !== undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function installed(isRegistered: boolean): Promise<void> {
  if (!isRegistered) await (await import("../pwa/register.ts")).register();
  await navigator.serviceWorker.ready;
}
