import { openProgramFrame, type ProgramFrame } from "../../../src/shell/embedded/node/frame/frame-connection.ts";
import type { ProgramsParts } from "../../../src/shell/embedded/shell-worker.ts";
import { testAssets } from "../assets.ts";

export interface TestFrame {
  readonly frame: ProgramFrame;
  readonly element: HTMLIFrameElement;
  close(): void;
}

/** The frame's element, as the page creates it. It has sent no message yet. */
export function frameElement(): HTMLIFrameElement {
  const element = document.createElement("iframe");
  element.setAttribute("sandbox", "allow-scripts");
  element.src = new URL("/program/index.html", location.href).href;
  return element;
}

/** Frames as the page opens them. */
export const frameParts: ProgramsParts = {
  wanted: () => true,
  open() {
    const element = frameElement();
    const { port1, port2 } = new MessageChannel();
    element.addEventListener("load", () => element.contentWindow?.postMessage("hello", "*", [port2]), { once: true });
    document.body.append(element);
    return { port: port1, close: () => element.remove() };
  },
};

/** The frame of one dialog's programs, as the page opens it. `script`: what its processes run instead of `node`. Works only in a browser. */
export async function testFrame(script?: string): Promise<TestFrame> {
  const element = frameElement();
  const { port1, port2 } = new MessageChannel();
  element.addEventListener("load", () => element.contentWindow?.postMessage("hello", "*", [port2]), { once: true });
  document.body.append(element);
  const frame = await openProgramFrame(port1, script ?? new TextDecoder().decode(await testAssets("node-process.js")));
  return { frame, element, close: () => element.remove() };
}
