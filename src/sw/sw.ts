/**
 * The service worker: a start without a network, the policy headers on hosts that send none, and the router for what the
 * page's patched `fetch` does not reach, such as an image's address. It stores the build's files and nothing else.
 */
import { files, rules } from "virtual:built";
import { ownPath } from "../app/engine-client/own-paths.ts";
import { askEngine, forbidden } from "./ask-engine.ts";
import { isAppPage } from "./clients.ts";
import { createPrecache } from "./precache.ts";

declare const self: ServiceWorkerGlobalScope;

const scope = new URL(self.registration.scope);
const precache = createPrecache(files, rules, scope);
const windows = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

self.addEventListener("install", (event) => void precache.install(event));

// Claims the page of the first visit, too. Nothing is deleted here: pages of the version before may still be open.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event) => {
  const { data, source } = event;
  // Only the click on "Update" sends this.
  if (data?.type !== "SKIP_WAITING" || !(source instanceof WindowClient) || !isAppPage(source, scope)) return;
  event.waitUntil(self.skipWaiting());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = ownPath(new URL(request.url), scope);
  if (path !== null) {
    event.respondWith(route(event, path));
    return;
  }
  const answer = precache.answer(request);
  if (answer !== null) event.respondWith(answer);
  if (request.mode === "navigate") event.waitUntil(tidyWhenAlone(event));
});

async function route(event: FetchEvent, path: string): Promise<Response> {
  const { request, clientId } = event;
  const asker = request.mode === "navigate" ? undefined : await self.clients.get(clientId);
  if (asker === undefined || !isAppPage(asker, scope)) return forbidden();
  const others = (await windows()).filter((page) => page.id !== asker.id && isAppPage(page, scope));
  return await askEngine(request, path, [asker, ...others]);
}

/** The page that opens now has this version. With no other one open, nobody needs what older versions have left. */
async function tidyWhenAlone(event: FetchEvent): Promise<void> {
  const { installing, waiting } = self.registration;
  if (installing || waiting || (await windows()).length > 0) return;
  await precache.tidy(event);
}
