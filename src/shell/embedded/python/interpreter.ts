import { projectFolder } from "../protocol.ts";
import { createGate, type WasmImports } from "./gate.ts";
import { type Ask, createAnswers, suspends } from "./suspend.ts";
import { limitMemory } from "../wasm-memory.ts";
import type { EmscriptenFileSystem } from "./mount.ts";
import { closeFileSystem } from "./own-files.ts";
import { useGoingClocks } from "./times.ts";
import { useUtc } from "./utc.ts";
import { pythonFolder, pythonVersion } from "./version.ts";
import notHere from "./not_here.py?raw";
import processes from "./processes.py?raw";
import asyncProcesses from "./async_processes.py?raw";
import runner from "./runner.py?raw";
import sockets from "./sockets.py?raw";

/** The parts of Pyodide's module that are used while it runs. */
export interface EmscriptenModule {
  readonly FS: EmscriptenFileSystem;
  readonly API: {
    readonly config: { readonly BUILD_ID: string };
    finalizeBootstrap(state?: object): Pyodide;
    makeSnapshot(serialize: (value: unknown) => string): Uint8Array<ArrayBuffer>;
    /** Restores the memory, and returns what it knew of JavaScript. */
    restoreSnapshot(snapshot: Uint8Array): object;
  };
  readonly ENV: Record<string, string>;
  readonly HEAPU32: Uint32Array;
  stringToNewUTF8(text: string): number;
  exitCode?: number;
}

interface Pyodide {
  /** Pyodide's own loader uses these three, so they are stable while the version is pinned. */
  readonly ["_api"]: {
    readonly ["_pyodide"]: { set_excepthook(): void };
    readonly packageIndexReady: Promise<void>;
    initializeStreams(stdin: undefined, stdout: undefined, stderr: undefined): void;
  };
  runPython(code: string): unknown;
  setInterruptBuffer(buffer: Signals | undefined): void;
  setStdin(options: { stdin: () => Uint8Array | null; isatty: boolean }): void;
  setStdout(options: { write: (bytes: Uint8Array) => number; isatty: boolean }): void;
  setStderr(options: { write: (bytes: Uint8Array) => number; isatty: boolean }): void;
}

/** Pyodide polls the first number: 2 is the interrupt signal. It then sets the number back to 0. */
export interface Signals {
  0: number;
}

/** A Python for one program that has run nothing yet. */
export interface Interpreter {
  readonly python: Pick<Pyodide, "setInterruptBuffer" | "setStdin" | "setStdout" | "setStderr">;
  readonly FS: EmscriptenFileSystem;
  /** Runs Python code that can call `_run`, and returns its exit code. Call it once: afterwards nothing in this Python runs. */
  readonly run: (code: string) => Promise<number>;
}

export interface InterpreterParts {
  readonly wasm: WebAssembly.Module;
  /** The content of `python_stdlib.zip`. */
  readonly library: Uint8Array;
}

/** Folders of the shell's files that are mounted before a program runs. */
export const mounted = [projectFolder, "/tmp"];

const version = { folder: pythonFolder, zip: "python314.zip" };

/** Maximum bytes of a program's memory, as for `node`. */
const memoryLimit = 512 * 1024 * 1024;

/** Compiles `pyodide.asm.wasm` with the memory limit. */
export function compilePython(wasm: Uint8Array): Promise<WebAssembly.Module> {
  return WebAssembly.compile(limitMemory(wasm, memoryLimit));
}

/** Returns the memory of a Python that has started and run nothing: it saves the seconds that starting takes. */
export async function snapshotPython(parts: InterpreterParts): Promise<Uint8Array<ArrayBuffer>> {
  const { module, python } = await start(parts, null, null);
  python.runPython(`exec(compile(${JSON.stringify([runner, processes, asyncProcesses, notHere, sockets].join("\n"))}, "<vibey>", "exec"))`);
  return module.API.makeSnapshot((value: unknown) => {
    throw new Error(`Python can't be kept as it starts: it holds ${String(value)}`);
  });
}

/** Starts a separate Python for each program from the snapshot. `ask`: what the program waits for, if the browser can make it wait. */
export async function startInterpreter(parts: InterpreterParts, snapshot: Uint8Array<ArrayBuffer>, ask: Ask): Promise<Interpreter> {
  const { module, python, gate, ended, entry } = await start(parts, snapshot, ask);
  closeFileSystem(module.FS);
  return {
    python,
    FS: module.FS,
    async run(code) {
      const text = module.stringToNewUTF8(code);
      gate.run();
      try {
        await entry()(text);
      } catch (error) {
        if (error !== ended) throw error;
        return ended.code;
      } finally {
        gate.shut();
      }
      throw new Error("it ended without an exit code");
    },
  };
}

/** Thrown when a program exits. */
class Ended {
  code = 0;
}

async function start({ wasm, library }: InterpreterParts, snapshot: Uint8Array<ArrayBuffer> | null, ask: Ask | null) {
  const { default: createPyodideModule } = await import("pyodide/pyodide.asm.mjs");
  const failed = Symbol("error marker");
  const ended = new Ended();
  const answers = createAnswers(ask);
  const gate = createGate((code) => {
    ended.code = code & 0xff;
    throw ended;
  }, answers.ask);
  let entry: ((text: number) => unknown) | null = null;
  let refuse: (error: unknown) => void = () => undefined;
  const refused = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  const said: string[] = [];
  const settings = {
    noImageDecoding: true,
    noAudioDecoding: true,
    noWasmDecoding: false,
    noInitialRun: snapshot !== null,
    API: {
      config: {
        BUILD_ID: buildId,
        ["_makeSnapshot"]: snapshot === null,
        // Python sees none of the worker's globals.
        jsglobals: {},
        env: {},
        args: [],
        packages: [],
        packageCacheDir: "",
        packageBaseUrl: "",
        cdnUrl: "",
        indexURL: "",
        enableRunUntilComplete: false,
        checkAPIVersion: true,
      },
      runtimeEnv: environment,
      lockFilePromise: Promise.resolve({
        info: { arch: "wasm32", platform: "emscripten", version: "0", python: pythonVersion, abi_version: "2026_0" },
        packages: {},
      }),
    },
    preRun: [
      (module: EmscriptenModule): void => {
        module.FS.mkdirTree(`/lib/${version.folder}/site-packages`);
        module.FS.mkdirTree(`/lib/${version.folder}/lib-dynload`);
        for (const folder of ["/dev/shm", ...mounted]) module.FS.mkdirTree(folder);
        answers.makeDevice(module.FS);
        module.FS.writeFile(`/lib/${version.zip}`, library, { canOwn: true });
        Object.assign(module.API, { sitePackages: `/lib/${version.folder}/site-packages` });
        Object.assign(module.ENV, { HOME: "/", PYTHONINSPECT: "1" });
      },
    ],
    arguments: [],
    print: (line: string) => said.push(line),
    printErr: (line: string) => said.push(line),
    locateFile(name: string): never {
      throw new Error(`there is no ${name} here`);
    },
    instantiateWasm(imports: WasmImports, done: (instance: unknown, module: unknown) => void): object {
      imports.env["Jsv_GetError_import"] = () => failed;
      imports.env["JsvError_Check"] = (value: unknown) => value === failed;
      let memory: WebAssembly.Memory | null = null;
      const bytes = (): ArrayBufferLike => memory?.buffer ?? new ArrayBuffer(0);
      useUtc(imports, bytes);
      useGoingClocks(imports, bytes);
      gate.guard(imports);
      const give = async (): Promise<void> => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are Emscripten's own imports.
        const instance = await WebAssembly.instantiate(wasm, imports as unknown as WebAssembly.Imports);
        const { PyRun_SimpleString: code, memory: own } = instance.exports;
        if (own instanceof WebAssembly.Memory) memory = own;
        if (typeof code === "function") entry = suspends?.promising(code) ?? ((text) => code(text));
        done(instance, wasm);
      };
      give().catch(refuse);
      return {};
    },
  };
  const module = await Promise.race([createPyodideModule(settings), refused]);
  answers.memory = () => module.HEAPU32.buffer;
  if (module.exitCode !== undefined) throw new Error(`Python ended as it started: ${said.join("\n")}`);
  const python = snapshot === null ? module.API.finalizeBootstrap() : module.API.finalizeBootstrap(module.API.restoreSnapshot(snapshot));
  const { ["_api"]: inner } = python;
  inner["_pyodide"].set_excepthook();
  await inner.packageIndexReady;
  inner.initializeStreams(undefined, undefined, undefined);
  return { module, python, gate, ended, entry: () => entry ?? missing("PyRun_SimpleString") };
}

function missing(name: string): never {
  throw new Error(`Pyodide has no ${name}`);
}

/** The same build of Pyodide takes and restores a snapshot within a session, so any id of this form works. */
const buildId = "0".repeat(64);

/** The environment that Pyodide detects in a browser's worker. */
const environment = {
  IN_NODE: false,
  IN_BUN: false,
  IN_DENO: false,
  IN_SAFARI: false,
  IN_SHELL: false,
  IN_WORKERD: false,
  IN_BROWSER: true,
  IN_BROWSER_MAIN_THREAD: false,
  IN_BROWSER_WEB_WORKER: true,
  IN_NODE_COMMONJS: false,
  IN_NODE_ESM: false,
};
