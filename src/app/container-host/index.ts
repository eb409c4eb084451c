import type { ToWebContainer } from "../../shell/webcontainer/page-messages.ts";
import * as t from "../texts/webcontainer.ts";
import { createBooter } from "./boot.ts";
import { bootClient, watchFrame } from "./client.ts";
import { createWebContainer } from "./webcontainer.ts";
import { setWebContainerHere } from "./here.ts";
import { previewScript } from "./preview-script.ts";
import { createThrottle } from "./throttle.ts";

let current: ReturnType<typeof createWebContainer> | null = null;

const frame = watchFrame(() => current?.frameGone(t.frameGone));
const booter = createBooter({
  boot: bootClient,
  isolated: () => crossOriginIsolated,
  online: () => navigator.onLine,
  frame,
});
const throttle = createThrottle();

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") current?.hidden();
});
window.addEventListener("pagehide", () => current?.hidden());

/** Serves this page's WebContainer to an engine. The previously served engine has ended. */
export function serveWebContainer(port: MessagePort): void {
  endWebContainer();
  const container = createWebContainer({
    booter,
    throttle,
    previewScript: previewScript(location.origin),
    post: (message, transfer = []) => port.postMessage(message, transfer),
  });
  current = container;
  port.addEventListener("message", ({ data }: MessageEvent<ToWebContainer>) => {
    if (current === container) container.hear(data);
  });
  port.start();
  setWebContainerHere(true);
}

/** The engine that this page served has ended. */
export function endWebContainer(): void {
  current?.end();
  current = null;
  setWebContainerHere(false);
}
