import { suspends } from "./suspend.ts";

/**
 * Python's WebAssembly can reach what is outside its own memory only through its imports. While Python starts, all of them are open, because Pyodide
 * builds its bridge to JavaScript with them. While a program runs, only those below are open: files, streams, time and memory. So a program can't
 * reach an object of the worker, however it gets hold of one (`js`, `ctypes`, forged memory). After the program has ended, all are closed, so nothing
 * it left behind can run alongside a later command.
 */
export interface Gate {
  /** Replaces the imports with guarded ones. */
  guard(imports: WasmImports): void;
  run(): void;
  shut(): void;
}

export type Import = (...args: readonly never[]) => unknown;
export interface WasmImports {
  readonly env: Record<string, Import>;
}

/** The imports that a running program needs; those named `invoke_…` call a function of Python's own table. */
const open = new Set([
  // The time in milliseconds, and the date.
  "clock_res_get",
  "clock_time_get",
  "emscripten_date_now",
  "emscripten_get_now",
  "_gmtime_js",
  "_localtime_js",
  "_mktime_js",
  "_timegm_js",
  "_tzset_js",
  // Memory, and calls within it.
  "emscripten_get_heap_max",
  "emscripten_resize_heap",
  "_PyEM_TrampolineCall_JS",
  "_Py_CheckEmscriptenSignals_Helper",
  "__call_sighandler",
  "_mmap_js",
  "_msync_js",
  "_munmap_js",
  "random_get",
  "environ_get",
  "environ_sizes_get",
  // Reports that there is nothing to save, because nothing waits for JavaScript.
  "saveState",
  // Streams and files.
  "fd_close",
  "fd_fdstat_get",
  "fd_pread",
  "fd_pwrite",
  "fd_read",
  "fd_seek",
  "fd_sync",
  "fd_write",
  "_try_fcntl64",
  ...[
    "chdir chmod dup dup3 faccessat fadvise64 fallocate fchdir fchmod fchmodat2 fchown32 fchownat fcntl64 fdatasync fstat64 fstatfs64",
    "ftruncate64 getcwd getdents64 getuid32_js ioctl lstat64 mkdirat mknodat newfstatat openat poll readlinkat renameat rmdir",
    "stat64 statfs64 symlinkat truncate64 umask_js unlinkat utimensat",
  ].flatMap((names) => names.split(" ").map((name) => `__syscall_${name}`)),
]);

/** WASI's error number for "function not implemented"; a system call returns its negative. */
const notImplemented = 52;

/** Return values of closed imports that can report a failure to the program. */
const answers: Readonly<Record<string, number | null>> = {
  getaddrinfo: -4,
  getnameinfo: -4,
  getprotobyname: 0,
  ["_emscripten_system"]: -notImplemented,
  ["_setitimer_js"]: -notImplemented,
  // Nothing waits for JavaScript.
  ["can_run_sync_js"]: 0,
  ["_maybe_poll_async"]: null,
};

const unavailable = (): never => {
  throw new Error("Python can't wait for JavaScript here");
};

/**
 * `exit`: ends the program with this code by throwing out of WebAssembly. `ask`: the one import that a running program waits for; null: it can't
 * wait.
 */
export function createGate(exit: (code: number) => never, ask: ((text: number) => Promise<number>) | null): Gate {
  let state: "starting" | "running" | "over" = "starting";

  function shutFor(name: string): () => number | null {
    const answer = name.startsWith("__syscall_") ? -notImplemented : answers[name];
    if (answer !== undefined) return () => answer;
    return () => {
      throw new Error(`Python asked for ${name}, which no program may reach`);
    };
  }

  function guarded(name: string, original: Import): Import {
    if (name === "_emscripten_system" && ask !== null && suspends !== null) return asking(suspends, ask);
    if (name === "proc_exit" || name === "exit") return (...[code]: readonly unknown[]) => exit(Number(code));
    const isOpen = open.has(name) || name.startsWith("invoke_");
    const shut = shutFor(name);
    const gate: Import = (...args) => (state === "starting" || (state === "running" && isOpen) ? original(...args) : shut());
    // Emscripten stores a function's signature on it.
    return Object.assign(gate, original);
  }

  /** The request is at the address `text`; the program waits for the answer. */
  function asking(wait: NonNullable<typeof suspends>, answer: (text: number) => Promise<number>): Import {
    const answered = (...[text]: readonly unknown[]) => (state === "running" ? answer(Number(text)) : -notImplemented);
    return Object.assign(wait.suspending(answered), { sig: "ip" });
  }

  return {
    guard(imports) {
      // Both import modules are this one object, in which Emscripten also looks up any other function that a program could name.
      const { env } = imports;
      // An import that is not a function would let Python wait for a promise.
      for (const [name, each] of Object.entries(env)) env[name] = guarded(name, typeof each === "function" ? each : unavailable);
    },
    run: () => void (state = "running"),
    shut: () => void (state = "over"),
  };
}
