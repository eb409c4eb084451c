import type { FromShell, ToShell } from "../../src/shell/embedded/protocol.ts";
import { realClock } from "../../src/shell/embedded/clock.ts";
import { serveShell } from "../../src/shell/embedded/serve.ts";
import type { Clock } from "../../src/shell/embedded/clock.ts";
import type { WorkerLike } from "../../src/shell/embedded/shell-worker.ts";

/**
 * The worker's code in this thread, behind a port that copies and delays like a real one. The differences: a command that computes without
 * a pause blocks the test, too, and `terminate` only cuts the connection.
 */
export function loopbackWorker(clock: Clock = realClock): WorkerLike {
  let alive = true;
  const events = new EventTarget();
  const early: ToShell[] = [];
  let listener = (message: ToShell): void => void early.push(message);
  void serveShell(
    {
      post(message) {
        const data: FromShell = structuredClone(message);
        setImmediate(() => alive && events.dispatchEvent(new MessageEvent("message", { data })));
      },
      listen(next) {
        listener = next;
        for (const message of early) next(message);
      },
    },
    clock,
  );
  return {
    postMessage(message) {
      const copy = structuredClone(message);
      setImmediate(() => alive && listener(copy));
    },
    terminate() {
      alive = false;
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an EventTarget does not know which events it will have.
    addEventListener: (type: string, heard: (event: never) => void) => events.addEventListener(type, heard as (event: Event) => void),
  };
}
