import { createSignal } from "solid-js";
import engineUrl from "../../engine/worker.ts?worker&url";
import type { WorkerNews } from "../../engine/port/messages.ts";
import { ownPath } from "./own-paths.ts";
import { portFetch } from "./port-fetch.ts";
import { trustedWorkerUrl } from "./trusted-worker-url.ts";

export type EngineState =
  | { readonly kind: "starting" }
  | { readonly kind: "ready" }
  /** Another tab has the engine. This one takes over when that tab is closed. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "failed"; readonly message: string };

const [engineState, setEngineState] = createSignal<EngineState>({ kind: "starting" });

/** How the engine in this tab is doing; reactive. */
export { engineState };

/**
 * Starts the engine's worker and routes this page's `fetch` of the router's paths to it. Calls made before the engine is
 * ready wait for it. Resolves when it is ready; never rejects: `engineState` says what went wrong.
 */
export function startEngine(): Promise<void> {
  const base = new URL("./", document.baseURI);
  const worker = new Worker(trustedWorkerUrl(engineUrl), { type: "module", name: "vibey engine" });
  const { port1, port2 } = new MessageChannel();
  const call = portFetch(port1);
  const native = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), base);
    const path = ownPath(url, base);
    if (path === null) return native(input, init);
    return call(new Request(input instanceof Request ? input : url, init), path);
  };
  return new Promise((resolve) => {
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerNews>) => {
      setEngineState(data);
      if (data.kind === "ready") resolve();
    });
    worker.addEventListener("error", (event) => {
      setEngineState({ kind: "failed", message: event.message || "the engine's script could not be loaded" });
    });
    worker.postMessage({ kind: "port", port: port2 }, [port2]);
  });
}
