import { connectEngine } from "../engine-client/index.ts";
import { isOwn, lendEngine, takeKeys } from "./lend-engine.ts";
import { reloadWhenReplaced } from "./reload.ts";
import { quietOrWanted } from "./wanted.ts";

/** Milliseconds after the engine's start before anything is fetched for later, so that the first clicks have the network to themselves. */
const quietMs = 5_000;

/**
 * Makes the app work offline: registers the service worker once the page is idle, or when a command waits for it. `started`: the engine is ready or
 * has failed; in the latter case, a newer version may help. Only the built app has a service worker. Rejects if the browser refuses one.
 */
export async function startOffline(started: Promise<unknown>): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  takeKeys(connectEngine);
  lendEngine(connectEngine);
  await reloadAfterUpdates();
  await quietOrWanted(async () => {
    await started;
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    await new Promise<unknown>((resolve) => ("requestIdleCallback" in window ? requestIdleCallback(resolve) : setTimeout(resolve, 0)));
  });
  const { furtherAttemptsMs, register } = await import("./register.ts");
  await register(furtherAttemptsMs);
}

async function reloadAfterUpdates(): Promise<void> {
  const container = navigator.serviceWorker;
  let isReplaceable = isOwn(container.controller);
  reloadWhenReplaced(container, () => isReplaceable);
  // A page loaded past the service worker (with shift-reload) has no controller, but is older than the next worker all the same.
  const registration = await container.getRegistration("./");
  if (isOwn(registration?.active)) isReplaceable = true;
}
