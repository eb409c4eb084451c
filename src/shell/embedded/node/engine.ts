import { type ContextLayout, learnLayout } from "./contexts.ts";
import script from "virtual:node-inside";
import { QuickJS, type QuickJSOptions, type Snapshot } from "quickjs-wasi";

/** The maximum memory of a program in bytes; the error message names it. */
export const memoryLimit = 512 * 1024 * 1024;

/**
 * Bytes of QuickJS's own stack, enough for some thousand calls. If it were larger, the browser's stack would overflow first, which ends the whole
 * machine.
 */
const stackSize = 160 * 1024;

interface Engine {
  readonly wasm: WebAssembly.Module;
  /** A snapshot of QuickJS after the runtime inside has run, before any program. */
  readonly fresh: Snapshot;
  readonly contexts: ContextLayout | null;
}

/** A machine, and the layout for following its async functions; null: they can't be followed. */
export interface Machine {
  readonly vm: QuickJS;
  readonly contexts: ContextLayout | null;
}

let engine: Engine | null = null;

/** Creates a machine for one program. The engine is compiled and started once, then copied for each program. */
export async function startMachine(load: () => Promise<Uint8Array>, options: Omit<QuickJSOptions, "wasm">): Promise<Machine> {
  engine ??= await prepare(load);
  const { fresh, wasm, contexts } = engine;
  return { vm: await QuickJS.restore(fresh, { ...options, wasm, memoryLimit, maxStackSize: stackSize, wasi: silent }), contexts };
}

async function prepare(load: () => Promise<Uint8Array>): Promise<Engine> {
  const wasm = await WebAssembly.compile(new Uint8Array(await load()));
  const vm = await QuickJS.create({ wasm, maxStackSize: stackSize, wasi: silent });
  try {
    vm.withScope(() => {
      vm.setProp(
        vm.global,
        "vibeyHost",
        vm.newFunction("host", () => {
          throw new Error("nothing can be asked while the inside starts");
        }),
      );
      vm.evalCode(script, "node:internal");
    });
    vm.executePendingJobs();
    const contexts = learnLayout(vm);
    vm.runGC();
    return { wasm, fresh: vm.snapshot(), contexts };
  } catch (error) {
    // WebKitGTK 2.50 stops QuickJS in its first job.
    if (error instanceof WebAssembly.RuntimeError)
      throw new Error(
        `this browser can't run it: its WebAssembly stopped QuickJS, the engine of node (${error.message}). Chromium and Firefox can.`,
        {
          cause: error,
        },
      );
    throw new Error(`the machine for node did not start: ${error instanceof Error ? `${error.message}\n${error.stack}` : String(error)}`, {
      cause: error,
    });
  } finally {
    vm.dispose();
  }
}

/** QuickJS itself writes only when it fails. The program then ends with our message. */
const silent: NonNullable<QuickJSOptions["wasi"]> = (memory) => ({
  fd_write(_fd: number, vectors: number, count: number, written: number) {
    const view = new DataView(memory.buffer);
    let total = 0;
    for (let i = 0; i < count; i++) total += view.getUint32(vectors + i * 8 + 4, true);
    view.setUint32(written, total, true);
    return 0;
  },
});
