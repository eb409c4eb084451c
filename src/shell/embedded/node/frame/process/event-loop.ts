import { clearTimeout, MessageChannel, setTimeout } from "./natives.ts";
import type { Inside } from "../../plain.ts";

export interface EventLoop {
  /** Starts asynchronous work. The program does not end before `deliver` was called in a turn of its own. */
  begin<T>(run: () => Promise<T>, deliver: (result: T) => void): void;
  /** Keeps the program from ending by itself until the returned function is called, once. */
  hold(): () => void;
  /** Calls `run` in a turn of its own. */
  post(run: () => void): void;
  /** Runs the program's start and then whatever is due, in Node's order, until nothing is left. */
  start(run: () => void): void;
  /** Runs `run` in a turn of its own, for example to report an unhandled rejection. */
  runSeparately(run: () => void): void;
}

/**
 * Each turn is one browser task. At its end the browser runs the microtasks; `nextTick` callbacks that they queue run in the next turn. There is an
 * extra task between two turns, so that the browser can report rejected promises first.
 */
export function createTurns(inside: Inside, broken: (error: unknown) => void): EventLoop {
  const { port1, port2 } = new MessageChannel();
  const work: (() => void)[] = [];
  let pending = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = false;
  let phase: "timers" | "immediates" = "timers";

  function ask(): void {
    if (asked) return;
    asked = true;
    clearTimeout(timer);
    timer = undefined;
    port2.postMessage(1);
  }
  port1.addEventListener("message", ({ data }: MessageEvent<number>) => {
    if (data > 0) return port2.postMessage(data - 1);
    asked = false;
    turn();
  });
  port1.start();

  /** Runs one step, and then the `nextTick` callbacks. */
  function step(run: () => void): void {
    run();
    inside.call("runTicks");
    ask();
  }

  function turn(): void {
    if (inside.call("hasTicks") === true) return step(() => undefined);
    if (phase === "timers") {
      if (inside.call("runTimers", pending > 0 || work.length > 0) === true) return step(() => undefined);
      const deliver = work.shift();
      if (deliver) return step(deliver);
      phase = "immediates";
    }
    if (inside.call("runImmediates") === true) return step(() => undefined);
    phase = "timers";
    const next = Number(inside.call("nextTimer", pending > 0) ?? -1);
    if (next === 0 || work.length > 0) return ask();
    if (next > 0) timer = setTimeout(ask, next);
    else if (pending === 0) {
      if (inside.call("finish") === true) step(() => undefined);
    }
  }

  return {
    begin(run, deliver) {
      pending++;
      void (async () => {
        try {
          const result = await run();
          pending--;
          work.push(() => deliver(result));
          ask();
        } catch (error) {
          broken(error);
        }
      })();
    },
    hold() {
      pending++;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        pending--;
        ask();
      };
    },
    post(run) {
      work.push(run);
      ask();
    },
    start: step,
    runSeparately: step,
  };
}
