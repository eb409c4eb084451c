import { type Answer, type Context, type Run, failed, stdinBytes, stdinText } from "../commands/answer.ts";
import { notFetched } from "../commands/not-fetched.ts";
import { fromBytes } from "../encoding.ts";
import { createKeptOutput, type KeptOutput } from "../../kept-output.ts";
import type { ShellHost } from "../host.ts";
import { projectFolder } from "../protocol.ts";
import { compilePython, type Interpreter, type InterpreterParts, mounted, startInterpreter } from "./interpreter.ts";
import { mountFolder, type MountedFolder } from "./mount.ts";
import { ownModule } from "./modules.ts";
import { type PythonCall, pythonOptions } from "./options.ts";
import { type Outside, outsideOf } from "./outside.ts";
import { sitePackages } from "./site.ts";
import { suspends } from "./suspend.ts";
import { pythonVersion } from "./version.ts";

/** Milliseconds between two interrupts of a program that must stop: it may print something after the first. */
const interruptEvery = 200;

/** The parts of each program's Python, loaded once per worker. */
let parts: Promise<Parts> | null = null;

interface Parts extends InterpreterParts {
  readonly snapshot: Uint8Array<ArrayBuffer>;
}

/** The maximum number of concurrent programs in this worker: each takes at least 31 MB, and Python can run Python. */
const mostPrograms = 32;
let running = 0;

/** Bytes kept of the first and of the last part of output that is only shown: more than a result holds, which drops the middle. */
const shownPart = 4 * 1024 * 1024;

/** Bytes that a program may print into a pipe, a file or a variable: the shell's own limit. */
const outputLimit = 64 * 1024 * 1024;

/** `python3`: Pyodide with the standard library, fetched at the first call. Each call gets a new interpreter. */
export const python =
  (host: ShellHost): Run =>
  async (args, context) => {
    const options = pythonOptions(args);
    if (options.kind === "version") return { stdout: `Python ${pythonVersion}\n` };
    if (options.kind === "refused")
      return options.exitCode === 0 ? { stdout: `${options.why}\n` } : failed("python3", options.why, options.exitCode);
    const { call } = options;
    const own = call.kind === "module" ? await ownModule(host, call.program, call.argv.slice(1), context) : null;
    if (own !== null) return own;
    if (running >= mostPrograms)
      return failed("python3", `Resource temporarily unavailable: more than ${mostPrograms} Pythons would run at one time`, 126);
    running += 1;
    try {
      return await runNew(host, call, context);
    } finally {
      running -= 1;
    }
  };

async function runNew(host: ShellHost, call: PythonCall, context: Context): Promise<Answer> {
  const live = host.terminal(context);
  parts ??= load(host);
  let interpreter: Interpreter;
  const mounts: MountedFolder[] = [];
  const all = (what: keyof MountedFolder) => () => mounts.forEach((each) => each[what]());
  const outside = outsideOf(host, context, { flush: all("flush"), refresh: all("refresh") });
  try {
    const { snapshot, ...others } = await parts;
    interpreter = await startInterpreter(others, snapshot, (request) => outside.ask(request));
  } catch (error) {
    parts = null;
    return failed("python3", `Python could not be started: ${notFetched(error)}`, 127);
  }
  await host.files.load();
  if (host.stop() !== null) return { exitCode: 130 };
  const open = { bytes: 0 };
  mounts.push(...mounted.map((folder) => mountFolder(interpreter.FS, host.files, folder, open)));
  try {
    return await runIn(interpreter, host, call, context, live, all("flush"), outside);
  } finally {
    await outside.close();
  }
}

async function load(host: ShellHost): Promise<Parts> {
  host.show({ stream: "progress", text: "Python starts…" });
  const [code, library, snapshot] = await Promise.all([
    host.asset("python/pyodide.asm.wasm"),
    host.asset("python/python_stdlib.zip"),
    host.asset("python/snapshot"),
  ]);
  return { wasm: await compilePython(code), library, snapshot: new Uint8Array(snapshot) };
}

/** The numbers of signals for which a program can have handlers. Without a handler they end the program, as in Python: see `processes.py`. */
const signalsTaken = new Set([1, 2, 10, 12, 15]);

/** WASI's error number for "no space left on device". */
const noSpace = 51;

type Live = ReturnType<ShellHost["terminal"]>;

async function runIn(
  { python: inside, FS, run }: Interpreter,
  host: ShellHost,
  asked: PythonCall,
  context: Context,
  live: Live,
  flush: () => void,
  outside: Outside,
): Promise<Answer> {
  const call: PythonCall = asked.kind === "stdin" ? { ...asked, program: stdinText(context) } : asked;
  const path = call.program.startsWith("/") ? call.program : `${context.cwd}/${call.program}`;
  if (call.kind === "file" && host.files.stat(path) === null)
    return failed("python3", `can't open file '${path}': [Errno 2] No such file or directory`, 2);
  const kept = (stream: "stdout" | "stderr"): KeptOutput => createKeptOutput(host.shows(stream) ? shownPart : null);
  const out = kept("stdout");
  const err = kept("stderr");
  let input: Uint8Array | null = asked.kind === "stdin" ? null : stdinBytes(context);
  inside.setStdin({
    stdin: () => {
      const all = input;
      input = null;
      return all === null || all.length === 0 ? null : all;
    },
    isatty: false,
  });
  const into = (stream: "stdout" | "stderr", output: KeptOutput) => {
    // A character may be split across two chunks.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return {
      write: (bytes: Uint8Array): number => {
        if (output.size - output.leftOut + bytes.length > outputLimit) throw new FS.ErrnoError(noSpace);
        output.add(bytes.slice());
        live?.(stream, decoder.decode(bytes, { stream: true }));
        return bytes.length;
      },
      isatty: false,
    };
  };
  inside.setStdout(into("stdout", out));
  inside.setStderr(into("stderr", err));
  let interruptAt = 0;
  host.takeSignals?.(({ number }) => {
    if (!signalsTaken.has(number)) return false;
    outside.interrupt(number);
    return true;
  });
  inside.setInterruptBuffer({
    get 0() {
      const signal = outside.takeSignal();
      if (signal !== 0) return signal;
      if (host.stop() === null || performance.now() < interruptAt) return 0;
      interruptAt = performance.now() + interruptEvery;
      return 2;
    },
    set 0(_value) {
      // Pyodide resets the signal; the next one arrives by itself.
    },
  });
  const given = {
    ...call,
    waits: suspends !== null,
    site: sitePackages(context.exportedEnv ?? {}),
    cwd: context.cwd.startsWith(projectFolder) || context.cwd.startsWith("/tmp") ? context.cwd : "/",
    env: { HOME: projectFolder, PATH: "/usr/bin:/bin", PWD: context.cwd, ...context.exportedEnv },
  };
  const answer = (exitCode: number, more = ""): Answer => {
    host.leaveOut("stdout", out.leftOut);
    host.leaveOut("stderr", err.leftOut);
    return { stdout: out.bytes(), stderr: `${fromBytes(err.bytes(), undefined)}${more}`, exitCode };
  };
  try {
    // JSON within JSON: the outer one is also a Python string literal.
    const exitCode = await run(`_run(${JSON.stringify(JSON.stringify(given))})`);
    flush();
    return answer(exitCode);
  } catch (error) {
    // Pyodide itself failed, for example because memory ran out, or because the program did something forbidden.
    return answer(139, `python3: Python broke down: ${String(error).slice(0, 300)}\n`);
  }
}
