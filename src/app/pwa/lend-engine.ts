import type { EnginePort } from "../../protocol/port/messages.ts";
import type { HandOver, LendEngine, Lent, TakeKeys } from "./messages.ts";

/** Whether this is the app's own service worker. Other apps of this origin may have their own, and one at the root may control this page. */
export const isOwn = (worker: ServiceWorker | null | undefined): boolean => worker?.scriptURL === new URL("sw.js", document.baseURI).href;

/** Hands a port to the engine's worker, with its purpose. */
type Connect = (port: MessagePort, kind: EnginePort["kind"]) => void;

/**
 * Lets the service worker reach the engine through this page, and carry the session's keys over a reload. The keys pass from worker to worker: this
 * page forwards ports and sees no key.
 */
export function lendEngine(connect: Connect): void {
  navigator.serviceWorker.addEventListener("message", ({ data, source, ports }: MessageEvent<LendEngine | HandOver>) => {
    const [port] = ports;
    if (port === undefined || !(source instanceof ServiceWorker) || !isOwn(source)) return;
    if (data.kind === "hand-over-keys") return connect(port, "hand-over");
    if (data.kind !== "lend-engine") return;
    const lent: Lent = { kind: "lent" };
    port.postMessage(lent);
    connect(port, "port");
  });
}

/** Gives this tab's engine the keys of the page that was here before the reload. */
export function takeKeys(connect: Connect): void {
  const { controller } = navigator.serviceWorker;
  if (controller === null || !isOwn(controller)) return;
  const { port1, port2 } = new MessageChannel();
  connect(port1, "take-over");
  controller.postMessage({ type: "TAKE_KEYS" } satisfies TakeKeys, [port2]);
}
