import { deferred } from "../../deferred.ts";
import { servePorts } from "../../loopback/over-messages.ts";
import { SystemError, type SyncFiles } from "../../sync-files.ts";
import { createOutput, printLimit } from "../output.ts";
import type { Ended, Program } from "../program.ts";
import type { ProgramFrame } from "./link.ts";
import { type FromProcess, type ToProcess } from "./messages.ts";
import { readFromProcess } from "./read.ts";

/** Requests and commands of one program that are under way at one time. */
const mostUnderWay = 1_000;

/** Runs a program as a process of the frame, to its end. What it says is a stranger's word: the shell's files and the network have their own rules. */
export async function runInFrame(program: Program, frame: ProgramFrame): Promise<Ended> {
  const { host } = program;
  const output = createOutput(program.live);
  const { promise, resolve } = deferred<{ readonly code: number | null; readonly broken: string | null }>();
  const commands = new Map<number, AbortController>();
  const over = new AbortController();
  let underWay = 0;
  let lost = 0;
  const breakOff = (broken: string): void => resolve({ code: null, broken });

  const { start, conditions, stdin } = program;
  const process = frame.start(host.files, { start, conditions, stdin: stdin.slice() }, (why) => breakOff(`node: ${why}`));
  const answer = (message: ToProcess): void => {
    if (!over.signal.aborted) process.port.postMessage(message);
  };

  const { ports } = program.outside;
  const served = ports && servePorts(ports, (message) => answer({ type: "ports", message }));

  async function reach({ id, request }: Extract<FromProcess, { type: "fetch" }>): Promise<void> {
    answer({ type: "fetched", id, answer: await program.outside.fetch(request) });
  }

  async function execute({ id, command, cwd, env, stdin: input }: Extract<FromProcess, { type: "exec" }>): Promise<void> {
    const end = new AbortController();
    commands.set(id, end);
    try {
      const signal = AbortSignal.any([end.signal, over.signal]);
      const { stdout, stdoutIsBytes, stderr, exitCode } = await program.outside.exec(command, { cwd, env, stdin: input, signal });
      answer({ type: "executed", id, done: { stdout, stdoutIsBytes, stderr, exitCode } });
    } catch (error) {
      if (!end.signal.aborted) throw error;
      answer({ type: "executed", id, done: null });
    } finally {
      commands.delete(id);
    }
  }

  async function inTurn(work: () => Promise<void>): Promise<void> {
    if (++underWay > mostUnderWay) return breakOff(`node: stopped with more than ${mostUnderWay} requests and commands under way`);
    try {
      await work();
    } catch (error) {
      breakOff(`node: ${error instanceof Error ? error.message : String(error)}`);
    }
    underWay--;
  }

  function hear(message: FromProcess): void {
    switch (message.type) {
      case "print":
        if (!output.print(message.stream, message.printed))
          breakOff(`node: stopped after printing more than ${printLimit / 1024 / 1024} MB`);
        return;
      case "change":
        if (!change(host.files, message)) lost++;
        return;
      case "fetch":
        return void inTurn(() => reach(message));
      case "exec":
        return void inTurn(() => execute(message));
      case "kill":
        return commands.get(message.id)?.abort();
      case "ports":
        return served?.hear(message.message);
      case "report":
        return program.report?.(message.json);
      case "ended":
        return resolve({ code: message.code, broken: message.broken });
    }
  }

  process.port.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (over.signal.aborted) return;
    const message = readFromProcess(data);
    if (message === null) breakOff("node: the program said what the shell does not understand");
    else hear(message);
  });
  process.port.start();
  const stopWaiting = waitForEnd(program, () => resolve({ code: null, broken: null }));
  const { code, broken } = await promise;
  stopWaiting();
  over.abort();
  served?.close();
  process.end();
  if (lost > 0) output.print("stderr", `node: ${lost} changes of files could not be taken over, because others changed the same files\n`);
  if (host.stop() === null && broken !== null) {
    output.print("stderr", `${broken}\n`);
    return { stdout: output.stdout(), stderr: output.stderr(), exitCode: 134 };
  }
  return { stdout: output.stdout(), stderr: output.stderr(), exitCode: code ?? 1 };
}

/** Does what a process did to its own copy of the files. False: here it can't be done. */
function change(files: SyncFiles, { call, args }: Extract<FromProcess, { type: "change" }>): boolean {
  try {
    // What each call takes was looked at when the message was read.
    Reflect.apply(files[call], files, [...args]);
    return true;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    // The process was refused the same, and asked only so that the shell says so.
    return error.code === "EROFS";
  }
}

/** Calls `stop` when the command has to stop. Its time may stand still meanwhile. */
function waitForEnd({ host }: Program, stop: () => void): () => void {
  const signal = host.signal();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    if (host.stop() !== null) stop();
    else timer = setTimeout(look, Math.min(Math.max(1, host.timeLeft() + 1), 2 ** 30));
  };
  look();
  signal.addEventListener("abort", stop);
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  };
}
