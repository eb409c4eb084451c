/**
 * The service worker. It provides a start without a network, the policy headers on hosts that send none, the headers that isolate a page if that is
 * turned on, the router for requests that the page's patched `fetch` does not see (such as an image's address), and the session's keys across a
 * reload. It stores only the build's files.
 */
import { files, late, rules } from "virtual:built";
import { ownPath } from "../protocol/own-paths.ts";
import type { QuietNow } from "../app/pwa/messages.ts";
import { askEngine, forbidden } from "./ask-engine.ts";
import { isAppPage } from "./clients.ts";
import { createKeyCarrier } from "./take-over.ts";
import { createIsolation } from "./isolation.ts";
import { createPrecache } from "./precache.ts";
import { createLateFiles } from "./late-files.ts";
import { createQuiet } from "./quiet.ts";
import { isShare, takeShare } from "./share.ts";

declare const self: ServiceWorkerGlobalScope;

const scope = new URL(self.registration.scope);
const precache = createPrecache(files, rules, scope, createIsolation(caches, scope.href), createLateFiles(late, scope, caches));
const quiet = createQuiet(
  () => performance.now(),
  (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
);
const keys = createKeyCarrier();
const windows = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

self.addEventListener("install", (event) => void precache.install(event));

// Also claims the page of the first visit. Nothing is deleted here: pages of the previous version may still be open.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event) => {
  const { data, source, ports } = event;
  if (!(source instanceof WindowClient) || !isAppPage(source, scope)) return;
  const [port] = ports;
  if (data?.type === "TAKE_KEYS" && port !== undefined) keys.give(source.id, port);
  // Only the click on "Update" sends these: the first to the worker that is replaced, the second to the one that takes over.
  else if (data?.type === "WHEN_QUIET")
    event.waitUntil(quiet.wait().then(() => ports[0]?.postMessage({ kind: "quiet" } satisfies QuietNow)));
  else if (data?.type === "SKIP_WAITING") event.waitUntil(self.skipWaiting());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  quiet.note();
  if (isShare(request, scope)) {
    event.respondWith(takeShare(request, scope));
    return;
  }
  const path = ownPath(new URL(request.url), scope);
  if (path !== null) {
    event.respondWith(route(event, path));
    return;
  }
  const answer = precache.answer(request, (work) => event.waitUntil(work));
  if (answer !== null) event.respondWith(request.destination === "document" ? withKeys(event, answer) : answer);
  if (request.mode === "navigate") event.waitUntil(tidyWhenAlone(event));
});

async function route(event: FetchEvent, path: string): Promise<Response> {
  const { request, clientId } = event;
  const asker = request.mode === "navigate" ? undefined : await self.clients.get(clientId);
  if (asker === undefined || !isAppPage(asker, scope)) return forbidden();
  return await askEngine(request, path, asker);
}

/** The page's response, once the keys that it will ask for are collected: the previous page answers only until this one has its first bytes. */
async function withKeys({ resultingClientId }: FetchEvent, answer: Promise<Response>): Promise<Response> {
  const collect = async () => {
    const open = (await windows()).filter((page) => page.id !== resultingClientId && isAppPage(page, scope));
    await keys.collect(resultingClientId, open);
  };
  const [response] = await Promise.all([answer, collect()]);
  return response;
}

/** The page that opens now has this version. If no other page is open, no one needs the files of older versions. */
async function tidyWhenAlone(event: FetchEvent): Promise<void> {
  const { installing, waiting } = self.registration;
  if (installing || waiting || (await windows()).length > 0) return;
  await precache.tidy(event);
}
