import type { Timers } from "../timers.ts";
import type { SandboxFiles } from "../sandbox.ts";
import { aboutWebContainer } from "./about.ts";
import type { WebContainerPort, FromWebContainer } from "./page-messages.ts";
import { loadScript } from "./load-script.ts";
import { webContainerSandbox, type WebContainerSandbox } from "./webcontainer.ts";

export interface BrowserParts {
  readonly files: SandboxFiles;
  readonly timers: Timers;
  readonly changed: () => void;
  /** Hands a port to the page. */
  readonly openWebContainer: (port: MessagePort) => void;
}

/** The WebContainer in this worker's page. Sends the page nothing before the first command needs it. */
export function browserWebContainer({ files, timers, changed, openWebContainer }: BrowserParts): {
  readonly sandbox: WebContainerSandbox;
  readonly about: string;
} {
  function connect(): WebContainerPort {
    const { port1, port2 } = new MessageChannel();
    openWebContainer(port2);
    return {
      post: (message) => port1.postMessage(message),
      listen(listener) {
        port1.addEventListener("message", ({ data }: MessageEvent<FromWebContainer>) => listener(data));
        port1.start();
      },
    };
  }
  return { sandbox: webContainerSandbox({ files, connect, loadScript, timers, changed }), about: aboutWebContainer };
}
