import type { PyCallable } from "pyodide/ffi";
import type { EmscriptenFileSystem } from "./mount.ts";

/** What is used of Pyodide's module once it runs. */
export interface EmscriptenModule {
  readonly FS: EmscriptenFileSystem;
  readonly API: {
    finalizeBootstrap(): Pyodide;
  };
  readonly ENV: Record<string, string>;
  readonly HEAPU32: Uint32Array;
  exitCode?: number;
}

interface Pyodide {
  readonly globals: { get(name: "_run"): PyCallable };
  /** Its own loader uses these three, so they are as stable as the version is pinned. */
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

/** Pyodide looks at the first number now and then: 2 is the signal of an interrupt. It sets it to 0 again. */
export interface Signals {
  0: number;
}

export interface Interpreter {
  readonly python: Pyodide;
  readonly FS: EmscriptenFileSystem;
}

export interface InterpreterParts {
  /** `pyodide.asm.wasm` and `python_stdlib.zip`. */
  readonly wasm: Uint8Array;
  readonly library: Uint8Array;
}

/** The version of Python that this Pyodide is, as its folders are named. */
const version = { folder: "python3.14", zip: "python314.zip" };
export const pythonVersion = "3.14.2";

/** Pyodide's own loader with the files given to it, without a package index: the standard library is all there is. */
export async function startInterpreter({ wasm, library }: InterpreterParts): Promise<Interpreter> {
  const { default: createPyodideModule } = await import("pyodide/pyodide.asm.mjs");
  const failed = Symbol("error marker");
  let refuse: (error: unknown) => void = () => undefined;
  const refused = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  const said: string[] = [];
  const settings = {
    noImageDecoding: true,
    noAudioDecoding: true,
    noWasmDecoding: false,
    // Python sees none of the worker's globals but the timers that its event loop stands on.
    API: {
      config: {
        jsglobals: { setTimeout: globalThis.setTimeout.bind(globalThis), clearTimeout: globalThis.clearTimeout.bind(globalThis) },
        env: {},
        args: [],
        packages: [],
        packageCacheDir: "",
        packageBaseUrl: "",
        cdnUrl: "",
        indexURL: "",
        enableRunUntilComplete: true,
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
        module.FS.writeFile(`/lib/${version.zip}`, library);
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
    instantiateWasm(imports: { readonly env: Record<string, unknown> }, done: (instance: unknown, module: unknown) => void): object {
      imports.env["Jsv_GetError_import"] = () => failed;
      imports.env["JsvError_Check"] = (value: unknown) => value === failed;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Emscripten's own imports; and a view of plain memory.
      const made = WebAssembly.instantiate(wasm as Uint8Array<ArrayBuffer>, imports as unknown as WebAssembly.Imports);
      const give = async (): Promise<void> => {
        const { instance, module } = await made;
        done(instance, module);
      };
      give().catch(refuse);
      return {};
    },
  };
  const module = await Promise.race([createPyodideModule(settings), refused]);
  if (module.exitCode !== undefined) throw new Error(`Python ended as it started: ${said.join("\n")}`);
  const python = module.API.finalizeBootstrap();
  const { ["_api"]: inner } = python;
  inner["_pyodide"].set_excepthook();
  await inner.packageIndexReady;
  inner.initializeStreams(undefined, undefined, undefined);
  return { python, FS: module.FS };
}

/** As Pyodide finds it in a worker of a browser. */
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
