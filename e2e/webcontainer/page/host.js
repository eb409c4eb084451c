// The page https://stackblitz.com/headless: what the client `@webcontainer/api` 1.6.4 finds behind its port.
import { Comlink } from "@webcontainer/api/dist/vendor/index.js";
import { openInstance } from "./instance.js";

/** @import { BuildOptions } from "../messages.ts" */

const coep = new URLSearchParams(location.search).get("coep");

const server = {
  /** @param {Pick<BuildOptions, "workdirName" | "forwardPreviewErrors">} options one container after the other, each on its own line */
  async build({ workdirName, forwardPreviewErrors }) {
    // The real host shares memory with its workers.
    if (coep !== "none" && !crossOriginIsolated) {
      const needed = "SharedArrayBuffer transfer requires self.crossOriginIsolated.";
      throw new DOMException(`Failed to execute 'postMessage' on 'Worker': ${needed}`, "DataCloneError");
    }
    return openInstance({
      workdirName: workdirName ?? null,
      forwardPreviewErrors: forwardPreviewErrors ?? null,
      coep: coep === "credentialless" || coep === "none" ? coep : "require-corp",
    });
  },
};

const { port1, port2 } = new MessageChannel();
Comlink.expose(server, port1);
parent.postMessage({ type: "init" }, "*", [port2]);
