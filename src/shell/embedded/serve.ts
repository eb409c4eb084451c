// This import comes first: see interpreter-errors.ts.
import { learnInterpreterErrors } from "./interpreter-errors.ts";
import { embeddedCommands } from "./commands/embedded.ts";
import { reasonNotHere } from "./commands/not-here.ts";
import type { Path } from "../../fs/path.ts";
import type { NetAnswer, NetRequest } from "../network.ts";
import type { Printed } from "../sandbox.ts";
import { dialogRefusal } from "../../protocol/write-rules.ts";
import type { AssetName } from "../assets.ts";
import { type FromShell, projectFolder, type ShellDone, type ToShell } from "./protocol.ts";
import { createAround } from "./around.ts";
import { learnInterpreter } from "./interpreter.ts";
import type { ProgramFrame } from "./node/frame/frame-connection.ts";
import { fetchFromPorts, ownPort } from "./loopback/fetch.ts";
import { createProgramStarts, type ProgramStarts } from "./node/program-starts.ts";
import { askForPorts } from "./loopback/over-messages.ts";
import type { Ports } from "./loopback/ports.ts";
import { createShell, type Shell, type ShellLink } from "./shell.ts";
import type { Clock } from "./clock.ts";
import { createShellFiles, type ShellFiles } from "./shell-files.ts";
import { stoppable } from "./stoppable.ts";

export interface ShellPort {
  post(message: FromShell): void;
  /** Called once. From then on every message goes to `listener`, in order. */
  listen(listener: (message: ToShell) => void): void;
}

interface FetchParts {
  readonly ports: Ports;
  readonly programStarts: ProgramStarts;
  readonly clock: Clock;
  readonly outside: (request: NetRequest) => Promise<NetAnswer>;
}

/** A server of the dialog takes precedence over one on the user's own device. If one is about to listen, the device is not asked. */
function createFetch({ ports, programStarts, clock, outside }: FetchParts): ShellLink["fetch"] {
  return async (request, hasJobs, { signal, listener }) => {
    const own = ownPort(request.url);
    if (own === null) return outside(request);
    const ask = (): Promise<NetAnswer | null> => fetchFromPorts(ports, request, signal, listener);
    // A program that makes the request would wait for itself.
    const canWait = hasJobs && request.program !== "node";
    const answer = await (canWait ? programStarts.wait(ask, () => clock.sleep(50, signal), signal) : ask());
    if (answer !== null) return answer;
    return hasJobs ? { kind: "failed", why: `nothing listens on port ${own} of this dialog yet` } : outside(request);
  };
}

/** Runs the worker's side of the protocol. Settles when it is ready; earlier messages must wait. */
export async function serveShell(port: ShellPort, clock: Clock): Promise<void> {
  const errors = await learnInterpreterErrors();
  await learnInterpreter();
  const asked = new Map<Path, ((bytes: Uint8Array | null) => void)[]>();
  const fetches = new Map<number, (answer: NetAnswer) => void>();
  const questions = new Map<number, (answer: Printed) => void>();
  const frames = new Map<number, (answer: Extract<ToShell, { readonly type: "programs" }>) => void>();
  let frame: ProgramFrame | null = null;
  const assets = new Map<number, { readonly resolve: (bytes: Uint8Array) => void; readonly reject: (error: Error) => void }>();
  let lastId = 0;
  let running: AbortController | null = null;

  const files = createShellFiles({
    refusal: dialogRefusal,
    record: (op) => port.post(op),
    now: () => Date.now(),
    failure: (message, line) => errors.commandFailure(message, line),
    fetch: (path) =>
      new Promise((resolve) => {
        const waiting = asked.get(path);
        if (waiting) waiting.push(resolve);
        else {
          asked.set(path, [resolve]);
          port.post({ type: "need", path });
        }
      }),
  });
  const loadAsset = (name: AssetName): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      assets.set(++lastId, { resolve, reject });
      port.post({ type: "asset", id: lastId, name });
    });
  async function programs(): Promise<ProgramFrame | null> {
    const fresh = frame?.isAlive() !== true;
    const { on, port: own } = await new Promise<Extract<ToShell, { readonly type: "programs" }>>((resolve) => {
      frames.set(++lastId, resolve);
      port.post({ type: "programs", id: lastId, fresh });
    });
    if (!on) return null;
    if (own === null) return frame;
    const { openProgramFrame } = await import("./node/frame/frame-connection.ts");
    frame = await openProgramFrame(own, new TextDecoder().decode(await loadAsset("node-process.js")));
    return frame;
  }
  const programStarts = createProgramStarts(() => clock.now());
  const ports = askForPorts((message) => port.post({ type: "ports", message }));
  const fetchOutside = (request: NetRequest): Promise<NetAnswer> =>
    new Promise((resolve) => {
      fetches.set(++lastId, resolve);
      port.post({ type: "fetch", id: lastId, request });
    });
  const link: ShellLink = {
    fetch: createFetch({ ports, programStarts, clock, outside: fetchOutside }),
    background: (operands) =>
      new Promise((resolve) => {
        questions.set(++lastId, resolve);
        port.post({ type: "background", id: lastId, operands });
      }),
    show: (output) => port.post({ type: "output", output }),
  };
  const shell = createShell(files, errors, clock, link, {
    project: projectFolder,
    env: { HOME: projectFolder, TMPDIR: "/tmp", LANG: "C.UTF-8", TERM: "dumb" },
    reasonNotHere,
    around: createAround(files),
    commands: (host) =>
      embeddedCommands({
        ...host,
        files: files.now,
        ports,
        programStarts,
        programs: () =>
          stoppable(programs, host.signal(), () => {
            throw new Error("the command was stopped");
          }),
        asset: (name) =>
          stoppable(
            () => loadAsset(name),
            host.signal(),
            () => {
              throw new Error("the command was stopped");
            },
          ),
      }),
  });

  async function prepare(): Promise<Extract<FromShell, { readonly type: "prepared" }>> {
    try {
      const { compilePython, snapshotPython } = await import("./python/interpreter.ts");
      const [code, library] = await Promise.all([loadAsset("python/pyodide.asm.wasm"), loadAsset("python/python_stdlib.zip")]);
      return { type: "prepared", bytes: await snapshotPython({ wasm: await compilePython(code), library }), why: "" };
    } catch (error) {
      return { type: "prepared", bytes: null, why: error instanceof Error ? error.message : String(error) };
    }
  }

  port.listen((message) => {
    switch (message.type) {
      case "put":
        for (const { path, bytes, size, mtime } of message.files) files.put(path, bytes, size, mtime);
        return undefined;
      case "drop":
        return files.drop(message.path);
      case "follow":
        // The folder stays for the running command, as on a disk.
        for (const path of message.drop) files.dropAlone(path);
        for (const { path, bytes, size, mtime } of message.put) files.put(path, bytes, size, mtime);
        return port.post({ type: "followed", id: message.id });
      case "content":
        for (const { path, bytes } of message.files) {
          const waiting = asked.get(path);
          asked.delete(path);
          if (waiting) for (const resolve of waiting) resolve(bytes);
          else if (bytes !== null) files.give(path, bytes);
        }
        return undefined;
      case "fetched":
        fetches.get(message.id)?.(message.answer);
        return void fetches.delete(message.id);
      case "loaded": {
        const waiting = assets.get(message.id);
        assets.delete(message.id);
        return message.bytes === null ? waiting?.reject(new Error(message.why)) : waiting?.resolve(message.bytes);
      }
      case "answered":
        questions.get(message.id)?.(message.answer);
        return void questions.delete(message.id);
      case "programs":
        frames.get(message.id)?.(message);
        return void frames.delete(message.id);
      case "ports":
        return ports.hear(message.message);
      case "clock":
        return shell.setClock(message.running);
      case "prepare":
        return void prepare().then((prepared) => port.post(prepared));
      case "abort":
        return running?.abort();
      case "run": {
        running = new AbortController();
        port.post({ type: "started" });
        void runAndAnswer(shell, message, running.signal, port, files).finally(() => {
          // What a command requested and did not wait for is of no use to the next one.
          fetches.clear();
          questions.clear();
        });
        return undefined;
      }
    }
  });
}

type Run = Extract<ToShell, { readonly type: "run" }>;

async function runAndAnswer(shell: Shell, run: Run, signal: AbortSignal, port: ShellPort, files: ShellFiles): Promise<void> {
  port.post({ ...(await runSafely(shell, run, signal)), outside: files.hasOutside() });
}

async function runSafely(shell: Shell, run: Run, signal: AbortSignal): Promise<ShellDone> {
  try {
    return await shell.run({ ...run, signal });
  } catch (error) {
    // An internal error of the interpreter, which just-bash throws instead of printing.
    const stderr = `bash: internal error: ${String(error)}\n`;
    return { type: "done", stdout: "", stderr, exitCode: 126, limit: null, aborted: signal.aborted, folder: run.folder, env: run.env };
  }
}
