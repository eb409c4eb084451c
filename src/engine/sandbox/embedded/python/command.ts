import { joinBytes } from "../../../../fs/bytes.ts";
import { type Answer, type Context, type Run, failed, stdinBytes, stdinText } from "../commands/answer.ts";
import { fromBytes } from "../encoding.ts";
import type { ShellHost } from "../host.ts";
import { projectFolder } from "../protocol.ts";
import { type Interpreter, pythonVersion, startInterpreter } from "./interpreter.ts";
import { mountFolder } from "./mount.ts";
import { type PythonCall, pythonOptions } from "./options.ts";
import runner from "./runner.py?raw";

/** Between two interrupts of a program that has to stop: it may have something to say about the first. Milliseconds. */
const interruptEvery = 200;

/** The one interpreter of this worker; starting another takes seconds. */
let running: Promise<Interpreter> | null = null;

/** `python3`: Pyodide with the standard library, fetched at the first call. */
export const python =
  (host: ShellHost): Run =>
  async (args, context) => {
    const options = pythonOptions(args);
    if (options.kind === "version") return { stdout: `Python ${pythonVersion}\n` };
    if (options.kind === "refused")
      return options.exitCode === 0 ? { stdout: `${options.why}\n` } : failed("python3", options.why, options.exitCode);
    const live = host.terminal();
    running ??= start(host);
    let interpreter: Interpreter;
    try {
      interpreter = await running;
    } catch (error) {
      running = null;
      return failed("python3", `Python could not be started: ${error instanceof Error ? error.message : String(error)}`, 127);
    }
    await host.files.load();
    return runIn(interpreter, host, options.call, context, live);
  };

async function start(host: ShellHost): Promise<Interpreter> {
  const [wasm, library] = await Promise.all([host.asset("python/pyodide.asm.wasm"), host.asset("python/python_stdlib.zip")]);
  host.show({ stream: "progress", text: "Python starts…" });
  const interpreter = await startInterpreter({ wasm, library });
  for (const folder of ["/tmp", "/dev/shm"]) interpreter.FS.mkdirTree(folder);
  interpreter.python.runPython(`exec(compile(${JSON.stringify(runner)}, "<vibey>", "exec"))`);
  return interpreter;
}

type Live = ReturnType<ShellHost["terminal"]>;

const shared = [projectFolder, "/tmp"];

async function runIn(
  { python: inside, FS }: Interpreter,
  host: ShellHost,
  given: PythonCall,
  context: Context,
  live: Live,
): Promise<Answer> {
  const call: PythonCall = given.kind === "stdin" ? { ...given, program: stdinText(context) } : given;
  const path = call.program.startsWith("/") ? call.program : `${context.cwd}/${call.program}`;
  if (call.kind === "file" && host.files.stat(path) === null)
    return failed("python3", `can't open file '${path}': [Errno 2] No such file or directory`, 2);
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  let input: Uint8Array | null = given.kind === "stdin" ? null : stdinBytes(context);
  inside.setStdin({
    stdin: () => {
      const all = input;
      input = null;
      return all === null || all.length === 0 ? null : all;
    },
    isatty: false,
  });
  const into = (stream: "stdout" | "stderr", chunks: Uint8Array[]) => {
    // A character may come in two pieces.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return {
      write: (bytes: Uint8Array): number => {
        chunks.push(bytes.slice());
        live?.(stream, decoder.decode(bytes, { stream: true }));
        return bytes.length;
      },
      isatty: false,
    };
  };
  inside.setStdout(into("stdout", out));
  inside.setStderr(into("stderr", err));
  let interruptAt = 0;
  inside.setInterruptBuffer({
    get 0() {
      if (host.stop() === null || performance.now() < interruptAt) return 0;
      interruptAt = performance.now() + interruptEvery;
      return 2;
    },
    set 0(_value) {
      // Pyodide takes the signal back; the next one comes by itself.
    },
  });
  for (const folder of shared) mountFolder(FS, host.files, folder);
  const run = inside.globals.get("_run");
  let exitCode: unknown;
  try {
    const env = { HOME: projectFolder, PATH: "/usr/bin:/bin", PWD: context.cwd, ...context.exportedEnv };
    exitCode = run.call(
      null,
      call.kind,
      call.program,
      call.argv,
      context.cwd.startsWith(projectFolder) || context.cwd.startsWith("/tmp") ? context.cwd : "/",
      Object.entries(env),
    );
  } catch (error) {
    // Pyodide itself broke, such as when memory ran out: it can't be used any more.
    running = null;
    return {
      stdout: joinBytes(out),
      stderr: `${fromBytes(joinBytes(err), undefined)}python3: Python broke down: ${String(error).slice(0, 300)}\n`,
      exitCode: 139,
    };
  } finally {
    run.destroy();
    inside.setInterruptBuffer(undefined);
    if (running !== null) for (const folder of shared) FS.unmount(folder);
  }
  return { stdout: joinBytes(out), stderr: fromBytes(joinBytes(err), undefined), exitCode: Number(exitCode) };
}
