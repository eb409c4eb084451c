import { realClock } from "../../src/engine/sandbox/embedded/real-clock.ts";
import type { FromShell, ToShell } from "../../src/engine/sandbox/embedded/protocol.ts";
import { serveShell } from "../../src/engine/sandbox/embedded/serve.ts";
import type { WorkerLike } from "../../src/engine/sandbox/embedded/shell-worker.ts";

/**
 * The worker's code in this thread, behind a port that copies and delays like a real one. What a stand-in can't do: a command
 * that computes without a pause blocks the test too, and `terminate` only cuts the line.
 */
export function loopbackWorker(): WorkerLike {
  let alive = true;
  let listener: ((message: ToShell) => void) | null = null;
  const worker: WorkerLike = {
    onmessage: null,
    onerror: null,
    postMessage(message) {
      const copy = structuredClone(message) as ToShell;
      setImmediate(() => alive && listener?.(copy));
    },
    terminate() {
      alive = false;
    },
  };
  const early: ToShell[] = [];
  listener = (message) => void early.push(message);
  void serveShell(
    {
      post(message) {
        const data: FromShell = structuredClone(message);
        setImmediate(() => alive && worker.onmessage?.({ data } as MessageEvent<FromShell>));
      },
      listen(next) {
        listener = next;
        for (const message of early) next(message);
      },
    },
    realClock,
  );
  return worker;
}
