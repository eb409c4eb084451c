import { createSignal } from "solid-js";
import engineUrl from "../../engine/worker.ts?worker&url";
import type { WorkerNews } from "../../engine/port/messages.ts";
import { ownPath } from "./own-paths.ts";
import { portFetch } from "./port-fetch.ts";
import { trustedWorkerUrl } from "./trusted-worker-url.ts";

export type EngineState =
  | { readonly kind: "starting" }
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly message: string };

const [engineState, setEngineState] = createSignal(atFirst());

/** Where storage is blocked no engine can start, and the screens, which keep what is typed, can't either. */
function atFirst(): EngineState {
  try {
    void localStorage;
    return { kind: "starting" };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

/** How the engine in this tab is doing; reactive. */
export { engineState };

let worker: Worker | null = null;

/** Answers the calls that come over `port` as if this page had made them; nothing comes of it before `startEngine`. */
export function connectEngine(port: MessagePort): void {
  worker?.postMessage({ kind: "port", port }, [port]);
}

/**
 * Starts this tab's worker and routes this page's `fetch` of the router's paths to it. It has the engine, or passes calls on to
 * the tab that has; calls made before anyone can answer wait. Resolves when they are answered, or never will be: `engineState`
 * says which.
 */
export function startEngine(): Promise<void> {
  const base = new URL("./", document.baseURI);
  const address = trustedWorkerUrl(engineUrl);
  let resolve = () => {};
  const started = new Promise<void>((settle) => {
    resolve = settle;
  });
  let call = startWorker();
  const native = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), base);
    const path = ownPath(url, base);
    if (path === null) return native(input, init);
    return call(new Request(input instanceof Request ? input : url, init), path);
  };
  return started;

  function startWorker(): ReturnType<typeof portFetch> {
    const own = new Worker(address, { type: "module", name: "vibey engine" });
    worker = own;
    const { port1, port2 } = new MessageChannel();
    connectEngine(port2);
    const fetchOver = portFetch(port1);
    const changed = (state: EngineState) => {
      setEngineState(state);
      resolve();
    };
    let hasStarted = false;
    own.addEventListener("message", ({ data }: MessageEvent<WorkerNews>) => {
      hasStarted = true;
      if (data.kind === "request") return void import("./request-frame.ts").then(({ openRequestFrame }) => openRequestFrame(data.port));
      if (data.kind !== "replaced") return changed(data);
      // What it had begun has ended with it. A new one is a relay to the tab that has the engine now.
      own.terminate();
      call = startWorker();
      fetchOver.close(new TypeError("this tab was frozen and another one took over; whether this was done is not known"));
    });
    // Later it is an error that nobody has caught, there or in a worker of its own: it stands in the console, and the engine goes on.
    own.addEventListener("error", ({ message }) => {
      if (!hasStarted) changed({ kind: "failed", message: message || "the engine's script could not be loaded" });
    });
    return fetchOver;
  }
}
