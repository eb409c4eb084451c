import { createSignal } from "solid-js";
import engineUrl from "../../engine/worker.ts?worker&url";
import type { EnginePort, WorkerNews } from "../../protocol/port/messages.ts";
import { wantServiceWorker } from "../pwa/wanted.ts";
import { currentProject } from "../model/current-project.ts";
import { removalWanted } from "../storage/removal.ts";
import { ownPath } from "../../protocol/own-paths.ts";
import { portFetch } from "../../protocol/port/fetch-over-port.ts";
import { trustedWorkerUrl } from "./trusted-worker-url.ts";
import * as t from "../texts/engine.ts";

export type EngineState =
  | { readonly kind: "starting" }
  /** The engine waits for another tab. */
  | { readonly kind: "waiting"; readonly message: string }
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly message: string }
  /** The project's storage is lost. Only the recovery answers calls. */
  | { readonly kind: "lost" };

const [engineState, setEngineState] = createSignal(atFirst());

/** If storage is blocked, the engine can't start, and neither can the screens, which keep what is typed. */
function atFirst(): EngineState {
  try {
    void localStorage;
    return { kind: "starting" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "failed", message: t.blockedStorage(why) };
  }
}

/** The state of the engine in this tab; reactive. */
export { engineState };

let worked = false;
/** Whether this page has shown the project. If so, it may hold typed text, which nothing may remove from the screen. */
export const hasWorked = () => worked;

/** Leaves a lost project, along with what is on the screen. */
export function leaveProject(): void {
  worked = false;
  setEngineState({ kind: "lost" });
}

/** The recovery's own paths. They are answered whatever the state of the project. */
const recoveryPath = /^\/(?:recovery|copy)\b/;

/** Reads the state of the project's storage from the headers of an answer. */
function heed(path: string, { headers }: Response): void {
  if (recoveryPath.test(path)) return;
  const isLost = headers.get("vibey-storage") === "lost";
  if (!isLost) worked = true;
  if (isLost !== (engineState().kind === "lost")) setEngineState({ kind: isLost ? "lost" : "ready" });
}

let worker: Worker | null = null;

/**
 * Hands a port to this tab's worker. Without a `kind`, calls over the port are answered as if this page had made them. Does nothing before
 * `startEngine`.
 */
export function connectEngine(port: MessagePort, kind: EnginePort["kind"] = "port"): void {
  worker?.postMessage({ kind, port } satisfies EnginePort, [port]);
}

/**
 * Starts this tab's worker and routes this page's `fetch` of the router's paths to it. The worker runs the engine, or passes calls on to the tab that
 * does. Calls wait until something can answer. Resolves once calls are answered or never will be; `engineState` says which.
 */
export function startEngine(): Promise<void> {
  if (engineState().kind === "failed") return Promise.resolve();
  const base = new URL("./", document.baseURI);
  const address = trustedWorkerUrl(engineUrl);
  let resolve = () => {};
  const started = new Promise<void>((settle) => {
    resolve = settle;
  });
  /** Ends the last engine's WebContainer, if it had one. */
  let stopWebContainer = () => {};
  let call = startWorker();
  const native = window.fetch.bind(window);
  // The headers are read when the answer arrives; nothing is tracked.
  // oxlint-disable-next-line solid/reactivity
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), base);
    const path = ownPath(url, base);
    if (path === null) return native(input, init);
    const answer = await call(new Request(input instanceof Request ? input : url, init), path);
    heed(path, answer);
    return answer;
  };
  return started;

  function startWorker(): ReturnType<typeof portFetch> {
    const own = new Worker(address, { type: "module", name: `vibey engine ${currentProject()}`.trim() });
    worker = own;
    const { port1, port2 } = new MessageChannel();
    connectEngine(port2);
    const fetchOver = portFetch(port1);
    const changed = (state: EngineState) => {
      // Recovery also reports that it is ready. Only the answers' headers say whether the project is lost.
      if (state.kind !== "ready" || engineState().kind !== "lost") setEngineState(state);
      if (state.kind !== "waiting") resolve();
    };
    let hasStarted = false;
    own.addEventListener("message", ({ data }: MessageEvent<WorkerNews>) => {
      hasStarted = true;
      if (data.kind === "request") return void import("./request-frame.ts").then(({ openRequestFrame }) => openRequestFrame(data.port));
      if (data.kind === "programs") return void heedPrograms(data.id, data.port);
      if (data.kind === "service-worker") return wantServiceWorker();
      if (data.kind === "computer") {
        stopWebContainer = openWebContainer(data.port);
        return;
      }
      if (data.kind !== "replaced") return changed(data);
      // A tab that was frozen must not open a project that is about to be removed.
      if (removalWanted()) return location.reload();
      // Everything that the old worker started has ended with it. The new worker relays to the tab that now has the engine.
      own.terminate();
      stopWebContainer();
      stopPrograms();
      call = startWorker();
      fetchOver.close(new TypeError(t.tabWasFrozen));
    });
    // After the start, this is an uncaught error, in this worker or in one that it started. The console shows it, and the engine continues.
    own.addEventListener("error", ({ message }) => {
      if (!hasStarted) changed({ kind: "failed", message: message || t.scriptNotLoaded });
    });
    return fetchOver;
  }
}

const programFrames = () => import("./program-frames.ts");

/** Opens a frame for programs, or closes it if `port` is null. */
async function heedPrograms(id: number, port: MessagePort | null): Promise<void> {
  try {
    const frames = await programFrames();
    if (port === null) frames.close(id);
    else await frames.open(id, port);
  } catch (error) {
    // For example offline, after a new version. The shell waits for the frame for a while, then reports that it did not load.
    console.error(error);
  }
}

/** Ends the programs that run in frames of this page. */
const stopPrograms = () => void programFrames().then((frames) => frames.closeAll(), console.info);

/** Serves a WebContainer to this tab's engine. Returns a function that ends it. */
function openWebContainer(port: MessagePort): () => void {
  const loaded = import("../container-host/index.ts");
  loaded
    .then(({ serveWebContainer }) => serveWebContainer(port))
    .catch((error: unknown) => {
      // For example offline, after a new version.
      port.addEventListener("message", ({ data }) => port.postMessage({ type: "failed", id: data.id, why: String(error) }));
      port.start();
    });
  return () => void loaded.then(({ endWebContainer }) => endWebContainer(), console.info);
}
