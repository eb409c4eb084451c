import type { ToComputer } from "../../shell/webcontainer/computer.ts";
import * as t from "../texts/computer.ts";
import { createBooter } from "./boot.ts";
import { bootClient, watchFrame } from "./client.ts";
import { createComputer } from "./computer.ts";
import { setComputerHere } from "./here.ts";
import { previewScript } from "./preview-script.ts";
import { createSoon } from "./soon.ts";

let current: ReturnType<typeof createComputer> | null = null;

const frame = watchFrame(() => current?.frameGone(t.frameGone));
const booter = createBooter({
  boot: bootClient,
  isolated: () => crossOriginIsolated,
  online: () => navigator.onLine,
  frame,
});
const soon = createSoon();

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") current?.hidden();
});
window.addEventListener("pagehide", () => current?.hidden());

/** Serves the computer of this page to an engine. Anyone who was served before has ended. */
export function serveComputer(port: MessagePort): void {
  endComputer();
  const computer = createComputer({
    booter,
    soon,
    previewScript: previewScript(location.origin),
    post: (message, transfer = []) => port.postMessage(message, transfer),
  });
  current = computer;
  port.addEventListener("message", ({ data }: MessageEvent<ToComputer>) => {
    if (current === computer) computer.hear(data);
  });
  port.start();
  setComputerHere(true);
}

/** The engine that this page served has ended. */
export function endComputer(): void {
  current?.end();
  current = null;
  setComputerHere(false);
}
