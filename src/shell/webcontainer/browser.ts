import type { Timers } from "../timers.ts";
import type { SandboxFiles } from "../sandbox.ts";
import { aboutWebContainer } from "./about.ts";
import type { ComputerPort, FromComputer } from "./computer.ts";
import { loadScript } from "./load-script.ts";
import { webContainerSandbox, type WebContainerSandbox } from "./webcontainer.ts";

export interface BrowserParts {
  readonly files: SandboxFiles;
  readonly timers: Timers;
  readonly changed: () => void;
  /** Gives a port to the page. */
  readonly openComputer: (port: MessagePort) => void;
}

/** The bigger computer in the page of this worker. Nothing is asked of the page before it is first wanted. */
export function browserWebContainer({ files, timers, changed, openComputer }: BrowserParts): {
  readonly sandbox: WebContainerSandbox;
  readonly about: string;
} {
  function connect(): ComputerPort {
    const { port1, port2 } = new MessageChannel();
    openComputer(port2);
    return {
      post: (message) => port1.postMessage(message),
      listen(listener) {
        port1.addEventListener("message", ({ data }: MessageEvent<FromComputer>) => listener(data));
        port1.start();
      },
    };
  }
  return { sandbox: webContainerSandbox({ files, connect, loadScript, timers, changed }), about: aboutWebContainer };
}
