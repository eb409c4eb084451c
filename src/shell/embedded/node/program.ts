import { JSException, type JSValueHandle, type QuickJS } from "quickjs-wasi";
import { deferred } from "../deferred.ts";
import type { ShellHost } from "../host.ts";
import { connect, contextEvents, type Inside, type Operations } from "./bridge.ts";
import { followContexts } from "./contexts.ts";
import { memoryLimit, startMachine } from "./engine.ts";
import { fileOperations } from "./operations/files.ts";
import { intlOperations } from "./operations/intl.ts";
import { createModuleLoader } from "./operations/modules.ts";
import { netOperations } from "./operations/net.ts";
import { type AsyncWork, outsideOperations, type Outside } from "./operations/outside.ts";
import { webOperations } from "./operations/web.ts";
import { zlibOperations } from "./operations/zlib.ts";
import { createOutput, type Stream, tooMuch } from "./output.ts";
import { InsideError, number, type Plain, text } from "./plain.ts";

export interface Program {
  readonly host: ShellHost;
  readonly outside: Outside;
  readonly conditions: readonly string[];
  readonly stdin: Uint8Array;
  /** The argument of the inside's `start`, as JSON. */
  readonly start: string;
  /** Called when the program is about to run. */
  readonly begun?: () => void;
  /** Receives output at once. */
  readonly live?: (stream: Stream, text: string) => void;
  /** Receives, as JSON, the results of a test file. */
  readonly report?: (json: string) => void;
}

export interface Ended {
  readonly stdout: string | Uint8Array;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A program that never waits yields after this many milliseconds, so that the worker receives messages. */
const breathAfter = 50;

/** Runs a program until nothing is pending, `process.exit` is called, an error is not caught, or the command ends. */
export async function runProgram(program: Program): Promise<Ended> {
  const { host } = program;
  const output = createOutput(program.live);
  let exitCode: number | null = null;
  /** Why it was ended, if it did not end by itself. */
  let broken: string | null = null;
  const halted = (): boolean => exitCode !== null || broken !== null || host.stop() !== null;

  const work: (() => void)[] = [];
  let wake: (() => void) | null = null;
  let pending = 0;
  const async: AsyncWork = {
    begin(run, deliver) {
      pending++;
      void (async () => {
        try {
          const result = await run();
          work.push(() => deliver(result));
        } catch (error) {
          broken = error instanceof Error ? error.message : String(error);
        }
        pending--;
        wake?.();
      })();
    },
    hold() {
      pending++;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        pending--;
        wake?.();
      };
    },
    post(run) {
      work.push(run);
      wake?.();
    },
  };
  /** The signals for which the program has handlers. */
  const handled = new Set<string>();
  host.takeSignals?.(({ name }) => {
    if (inside === null || halted() || name === "SIGKILL" || !handled.has(name)) return false;
    async.post(() => within().call("signalEvent", name));
    return true;
  });
  const net = netOperations(program.outside.ports ?? null, async, () => within());

  let vm: QuickJS | null = null;
  let inside: Inside | null = null;
  const machine = (): QuickJS => {
    if (vm === null) throw new Error("the machine is not there yet");
    return vm;
  };
  const within = (): Inside => {
    if (inside === null) throw new Error("the inside is not there yet");
    return inside;
  };
  const loader = createModuleLoader({ files: host.files, conditions: program.conditions, vm: machine, inside: within });
  const rejected = new Map<number, { readonly promise: JSValueHandle; readonly reason: JSValueHandle }>();

  const started = await startMachine(() => host.asset("quickjs.wasm"), {
    interruptHandler: halted,
    moduleLoader: { normalize: loader.normalize, load: loader.load },
    onUnhandledRejection(promise, reason, isHandled) {
      const key = promise.identity;
      const known = rejected.get(key);
      if (isHandled) {
        if (!known) inside?.call("rejectionHandled", promise);
        known?.promise.dispose();
        known?.reason.dispose();
        rejected.delete(key);
      } else if (!known)
        rejected.set(
          key,
          kept(promise.vm, () => ({ promise: promise.dup(), reason: reason.dup() })),
        );
    },
  });

  vm = started.vm;
  const own: Operations = {
    print(stream, printed) {
      if (output.print(stream === 2 ? "stderr" : "stdout", printed instanceof Uint8Array ? printed : text(printed))) return;
      broken = tooMuch;
    },
    stdin: () => program.stdin,
    exit(code) {
      exitCode ??= number(code);
    },
    "signal.handle"(name, on) {
      if (on === true) handled.add(text(name));
      else handled.delete(text(name));
    },
    "test.report"(json) {
      if (output.reported(text(json))) program.report?.(text(json));
      else broken = tooMuch;
    },
    /** False: async functions can't be followed. */
    "contexts.follow": () => {
      if (started.contexts === null) return false;
      followContexts(machine(), started.contexts, contextEvents(machine()));
      return true;
    },
    memory: () => JSON.stringify(machine().getMemoryUsage()),
    gc: () => machine().runGC(),
    seed: () => JSON.stringify([...crypto.getRandomValues(new Uint32Array(4))]),
  };

  try {
    inside = connect(vm, {
      ...own,
      ...fileOperations(host.files),
      ...webOperations,
      ...intlOperations,
      ...zlibOperations(),
      ...loader.operations,
      ...outsideOperations(program.outside, async, within),
      ...net.operations,
    });
    program.begun?.();
    await live(inside, vm);
  } catch (error) {
    broken ??= reasonOf(error);
  } finally {
    net.close();
    discard(vm);
  }
  if (host.stop() === null && broken !== null && exitCode === null) {
    output.explain(`${broken}\n`);
    exitCode = 134;
  }
  return { stdout: output.stdout(), stderr: output.stderr(), exitCode: exitCode ?? 1 };

  /** Runs whatever is due, in Node's order, until nothing is left. */
  async function live(here: Inside, engine: QuickJS): Promise<void> {
    enter(() => here.call("start", program.start));
    drain(here, engine);
    let breath = performance.now();
    while (!halted()) {
      while (!halted() && enter(() => here.call("runTimers", pending > 0 || work.length > 0)) === true) drain(here, engine);
      for (const deliver of work.splice(0)) {
        if (halted()) return;
        enter(deliver);
        drain(here, engine);
      }
      if (halted()) return;
      let immediates = false;
      while (!halted() && enter(() => here.call("runImmediates")) === true) {
        immediates = true;
        drain(here, engine);
      }
      if (halted()) return;
      const next = Number(enter(() => here.call("nextTimer", pending > 0)) ?? -1);
      if (immediates || work.length > 0) {
        if (performance.now() - breath < breathAfter) continue;
        await pause(0);
      } else if (next >= 0 || pending > 0) await pause(next < 0 ? null : next);
      else if (enter(() => here.call("finish")) === true) drain(here, engine);
      else return;
      breath = performance.now();
    }
  }

  /** An exception that leaves the runtime inside can't be caught there: the program was stopped. */
  function enter(run: () => Plain | void): Plain | void {
    if (halted()) return null;
    try {
      return run();
    } catch (error) {
      if (!halted()) broken = reasonOf(error);
      return null;
    }
  }

  /** Runs the callbacks of `process.nextTick` and promises, and those that they queue. */
  function drain(here: Inside, engine: QuickJS): void {
    // oxlint-disable-next-line no-underscore-dangle -- its own loop over the jobs never checks whether the program must stop.
    const exports = engine._getExports();
    do {
      enter(() => here.call("runTicks"));
      for (let count = 0; exports.qjs_is_job_pending() !== 0; count++) {
        if (count % 64 === 0 && halted()) return;
        if (exports.qjs_execute_pending_job() < 0) {
          const error = engine.getException();
          const message = error.getProp("message").toString();
          error.dispose();
          if (!halted()) broken = explained(message);
          return;
        }
      }
      if (rejected.size > 0 && enter(() => here.call("hasTicks")) === false) reject(here);
    } while (!halted() && (enter(() => here.call("hasTicks")) === true || exports.qjs_is_job_pending() !== 0));
  }

  function reject(here: Inside): void {
    for (const [key, { promise, reason }] of rejected) {
      rejected.delete(key);
      enter(() => here.call("unhandledRejection", reason, promise));
      promise.dispose();
      reason.dispose();
    }
  }

  /** Waits until something is delivered, the time is over, or the command must end. */
  async function pause(ms: number | null): Promise<void> {
    const signal = host.signal();
    const longest = Math.max(1, host.timeLeft() + 1);
    const { promise, resolve } = deferred<void>();
    const done = (): void => resolve();
    wake = done;
    const timer = setTimeout(done, Math.min(ms ?? longest, longest));
    signal.addEventListener("abort", done);
    await promise;
    wake = null;
    signal.removeEventListener("abort", done);
    clearTimeout(timer);
  }
}

/** Handles created here outlive the call during which they were created. */
/* oxlint-disable no-underscore-dangle -- the package has no other way to create a handle outside of a scope. */
function kept<T>(vm: QuickJS, make: () => T): T {
  const scope = vm._activeScope;
  vm._activeScope = null;
  try {
    return make();
  } finally {
    vm._activeScope = scope;
  }
}
/* oxlint-enable no-underscore-dangle */

function reasonOf(error: unknown): string {
  if (error instanceof JSException) {
    const message = error.message;
    error.dispose();
    return explained(message);
  }
  if (error instanceof InsideError) return `node: ${error.message}`;
  return explained(error instanceof Error ? error.message : String(error));
}

function explained(message: string): string {
  if (/out of memory|wasm_malloc|memory access/i.test(message))
    return `FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory (the limit here is ${memoryLimit / 1024 / 1024} MB)`;
  if (/call stack|stack overflow/i.test(message)) return "FATAL ERROR: Maximum call stack size exceeded";
  return `FATAL ERROR: ${message}`;
}

function discard(vm: QuickJS): void {
  try {
    vm.dispose();
  } catch {
    // A broken machine can't be cleaned up and need not be: it has its own WebAssembly instance.
  }
}
