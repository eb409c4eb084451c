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
  /** It waits for another tab. */
  | { readonly kind: "waiting"; readonly message: string }
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly message: string }
  /** The project's storage is lost: calls are answered by the recovery alone. */
  | { readonly kind: "lost" };

const [engineState, setEngineState] = createSignal(atFirst());

/** Where storage is blocked no engine can start, and the screens, which keep what is typed, can't either. */
function atFirst(): EngineState {
  try {
    void localStorage;
    return { kind: "starting" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "failed", message: t.blockedStorage(why) };
  }
}

/** How the engine in this tab is doing; reactive. */
export { engineState };

let worked = false;
/** Whether this page has shown the project: then there may be text in it that nothing must take from the screen. */
export const hasWorked = () => worked;

/** The user leaves a project that is lost, and what is on the screen with it. */
export function leaveProject(): void {
  worked = false;
  setEngineState({ kind: "lost" });
}

/** The recovery's own, which are answered whatever has become of the project. */
const recoveryPath = /^\/(?:recovery|copy)\b/;

/** What the head of an answer says of the project's storage. */
function heed(path: string, { headers }: Response): void {
  if (recoveryPath.test(path)) return;
  const isLost = headers.get("vibey-storage") === "lost";
  if (!isLost) worked = true;
  if (isLost !== (engineState().kind === "lost")) setEngineState({ kind: isLost ? "lost" : "ready" });
}

let worker: Worker | null = null;

/** Hands a port to this tab's worker; without a `kind`, the calls that come over it are answered as if this page had made them. Nothing comes of it before `startEngine`. */
export function connectEngine(port: MessagePort, kind: EnginePort["kind"] = "port"): void {
  worker?.postMessage({ kind, port } satisfies EnginePort, [port]);
}

/**
 * Starts this tab's worker and routes this page's `fetch` of the router's paths to it. It has the engine, or passes calls on to
 * the tab that has; calls made before anyone can answer wait. Resolves when they are answered, or never will be: `engineState`
 * says which.
 */
export function startEngine(): Promise<void> {
  if (engineState().kind === "failed") return Promise.resolve();
  const base = new URL("./", document.baseURI);
  const address = trustedWorkerUrl(engineUrl);
  let resolve = () => {};
  const started = new Promise<void>((settle) => {
    resolve = settle;
  });
  /** Ends the WebContainer of the last engine, if it had one. */
  let stopWebContainer = () => {};
  let call = startWorker();
  const native = window.fetch.bind(window);
  // What an answer's head says is noted whenever it comes; nothing is tracked.
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
      // Who answers for a lost project is ready, too; what is lost is said by the answers.
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
      // What it had begun has ended with it. A new one is a relay to the tab that has the engine now.
      own.terminate();
      stopWebContainer();
      stopPrograms();
      call = startWorker();
      fetchOver.close(new TypeError(t.tabWasFrozen));
    });
    // Later it is an error that no one has caught, there or in a worker of its own: it stands in the console, and the engine continues.
    own.addEventListener("error", ({ message }) => {
      if (!hasStarted) changed({ kind: "failed", message: message || t.scriptNotLoaded });
    });
    return fetchOver;
  }
}

const programFrames = () => import("./program-frames.ts");

/** Opens a frame for programs, or closes it. */
async function heedPrograms(id: number, port: MessagePort | null): Promise<void> {
  try {
    const frames = await programFrames();
    if (port === null) frames.close(id);
    else await frames.open(id, port);
  } catch (error) {
    // After a new version without a network, for one. The shell waits a while for the frame, and says that it did not come.
    console.error(error);
  }
}

/** Ends the programs that run in frames of this page. */
const stopPrograms = () => void programFrames().then((frames) => frames.closeAll(), console.info);

/** Serves a WebContainer to this tab's engine; returns the way to end it. */
function openWebContainer(port: MessagePort): () => void {
  const loaded = import("../container-host/index.ts");
  loaded
    .then(({ serveWebContainer }) => serveWebContainer(port))
    .catch((error: unknown) => {
      // After a new version without a network, for one.
      port.addEventListener("message", ({ data }) => port.postMessage({ type: "failed", id: data.id, why: String(error) }));
      port.start();
    });
  return () => void loaded.then(({ endWebContainer }) => endWebContainer(), console.info);
}
