import { trustedWorkerUrl } from "../../engine-client/trusted-worker-url.ts";
import { notRead } from "../../texts/preview-build.ts";
import { type BuiltScript, refused, type ScriptSource } from "./built.ts";
import type { BuildDone, BuildOrder } from "./worker.ts";
import url from "./worker.ts?worker&url";

export type Build = (source: ScriptSource) => Promise<BuiltScript>;

/** Milliseconds in which a script must be built. After that, the worker is replaced. */
const patience = 10_000;

/** Builds scripts in a worker, which starts with the first script. */
export function createBuilder(guard: boolean): { readonly build: Build; readonly close: () => void } {
  let worker: Worker | undefined;
  let last = 0;
  const waiting = new Map<number, { readonly source: ScriptSource; readonly done: (built: BuiltScript) => void }>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(): Worker {
    const started = new Worker(trustedWorkerUrl(url), { type: "module", name: "preview-build" });
    started.addEventListener("message", ({ data }: MessageEvent<BuildDone>) => {
      clearTimeout(timer);
      waiting.get(data.id)?.done(data.built);
      waiting.delete(data.id);
      if (waiting.size > 0) timer = setTimeout(giveUp, patience);
    });
    started.addEventListener("error", (event) => {
      event.preventDefault();
      giveUp();
    });
    return started;
  }

  /** The first waiting script is the one being built. */
  function giveUp() {
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    const [first, ...rest] = [...waiting];
    waiting.clear();
    if (first !== undefined) {
      first[1].done(refused(notRead(first[1].source.path)));
    }
    for (const [id, { source, done }] of rest) order(id, source, done);
  }

  function order(id: number, source: ScriptSource, done: (built: BuiltScript) => void) {
    worker ??= start();
    if (waiting.size === 0) timer = setTimeout(giveUp, patience);
    waiting.set(id, { source, done });
    worker.postMessage({ id, source, guard } satisfies BuildOrder);
  }

  return {
    build: (source) => new Promise((done) => order(++last, source, done)),
    close: () => {
      clearTimeout(timer);
      worker?.terminate();
    },
  };
}

interface Agent {
  readonly brands?: readonly { readonly brand: string }[];
  readonly mobile?: boolean;
}

/**
 * Whether this browser is known to run a frame with an opaque origin in a process of its own, so that a loop in it doesn't block this page. Chromium
 * does, unless memory is scarce.
 */
export function isolatesFrames(): boolean {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- missing in some browsers, and in the DOM library's types
  const { userAgentData } = navigator as { userAgentData?: Agent };
  return userAgentData?.mobile === false && (userAgentData.brands ?? []).some(({ brand }) => brand === "Chromium");
}
