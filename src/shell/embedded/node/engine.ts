import { type ContextLayout, learnLayout } from "./contexts.ts";
import script from "virtual:node-inside";
import { QuickJS, type QuickJSOptions, type Snapshot } from "quickjs-wasi";

/** Bytes a program may take; named in the message when it takes more. */
export const memoryLimit = 512 * 1024 * 1024;

/** Bytes of QuickJS's own stack, some thousand calls: with more of it the browser's stack ends first, and with that the whole machine. */
const stackSize = 160 * 1024;

interface Engine {
  readonly wasm: WebAssembly.Module;
  /** QuickJS as it is when the inside has been run and no program yet. */
  readonly fresh: Snapshot;
  readonly contexts: ContextLayout | null;
}

/** A machine, and how its async functions are followed; null: they can't be. */
export interface Machine {
  readonly vm: QuickJS;
  readonly contexts: ContextLayout | null;
}

let engine: Engine | null = null;

/** A machine of its own for one program: compiled and started once, copied for each. */
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

/** QuickJS itself writes only when it fails, and that ends the program with a message of ours. */
const silent: NonNullable<QuickJSOptions["wasi"]> = (memory) => ({
  fd_write(_fd: number, vectors: number, count: number, written: number) {
    const view = new DataView(memory.buffer);
    let total = 0;
    for (let i = 0; i < count; i++) total += view.getUint32(vectors + i * 8 + 4, true);
    view.setUint32(written, total, true);
    return 0;
  },
});
