import type { LendEngine, Lent } from "./messages.ts";

/** Whether it is this app's service worker. Other apps of this origin may have theirs, and one at its root may control this page. */
export const isOwn = (worker: ServiceWorker | null | undefined): boolean => worker?.scriptURL === new URL("sw.js", document.baseURI).href;

/** Lets the service worker reach the engine through this page. `connect` hands a port to the engine's worker. */
export function lendEngine(connect: (port: MessagePort) => void): void {
  navigator.serviceWorker.addEventListener("message", ({ data, source, ports }: MessageEvent<LendEngine>) => {
    const [port] = ports;
    if (port === undefined || !(source instanceof ServiceWorker) || !isOwn(source)) return;
    if (data.kind !== "lend-engine") return;
    const lent: Lent = { kind: "lent" };
    port.postMessage(lent);
    connect(port);
  });
}
