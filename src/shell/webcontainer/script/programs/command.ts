import type { CustomCommand } from "just-bash/browser";
import { type Answer, type Context, stdinBytes } from "../../../embedded/commands/answer.ts";
import { command } from "../../../embedded/commands/command.ts";
import type { CommonHost } from "../../../embedded/host.ts";
import { createKeptOutput, type KeptOutput } from "../../../kept-output.ts";
import { spanOf, takeSignals } from "../../../embedded/spans.ts";
import type { Processes, ProgramEnd } from "./processes.ts";

/** The shell command that runs a real program. The first operand is the program's path or name. */
export const programCommand = "__vibey_program";

/** Maximum bytes of output into a pipe, a file or a variable. Such output is held in memory as a whole, and just-bash copies it several times. */
const heldLimit = 32_000_000;

export interface ProgramOptions {
  readonly processes: Processes;
  /** Bytes of output to the terminal; more is never shown. */
  readonly maxBytes: () => number;
  /** Returns the PATH that a program gets. */
  readonly forPrograms: (path: string) => string;
}

export function program(host: CommonHost, options: ProgramOptions): CustomCommand {
  return command(programCommand, async (args, context) => {
    const [path = "", ...operands] = args;
    const first = await run(host, options, path, operands, context);
    // A file on the PATH that can't be started by its path may be a program that the system knows by name.
    const name = path.slice(path.lastIndexOf("/") + 1);
    const done =
      (first.end.kind === "missing" || first.end.kind === "failed") && name !== path
        ? await run(host, options, name, operands, context)
        : first;
    switch (done.end.kind) {
      case "nowhere":
        return { stderr: `bash: ${name}: the working directory ${context.cwd} is gone\n`, exitCode: 126 };
      case "missing":
        return { stderr: `bash: ${name}: command not found\n`, exitCode: 127 };
      case "failed":
        return { stderr: `bash: ${name}: ${done.end.why}\n`, exitCode: 126 };
      case "ended":
        return done.answer(done.end.exitCode);
    }
  });
}

interface Done {
  readonly end: ProgramEnd;
  readonly answer: (exitCode: number) => Answer;
}

async function run(
  host: CommonHost,
  { processes, maxBytes, forPrograms }: ProgramOptions,
  path: string,
  operands: readonly string[],
  context: Context,
): Promise<Done> {
  const early = host.terminal(context);
  const kept = (stream: "stdout" | "stderr"): KeptOutput => createKeptOutput(host.shows(stream) ? maxBytes() : null);
  const streams = { stdout: kept("stdout"), stderr: kept("stderr") };
  const { stdout, stderr } = streams;
  const { exportedEnv = {} } = context;
  const decoders = { stdout: new TextDecoder("utf-8", { ignoreBOM: true }), stderr: new TextDecoder("utf-8", { ignoreBOM: true }) };
  let tooMuch = false;
  const running = processes.start({
    program: path,
    args: operands,
    cwd: context.cwd,
    env: { ...exportedEnv, PWD: context.cwd, PATH: forPrograms(exportedEnv["PATH"] ?? "") },
    stdin: stdinBytes(context),
    output(stream, chunk) {
      const { size, leftOut } = streams[stream];
      tooMuch ||= size - leftOut + chunk.length > heldLimit;
      if (tooMuch) return running.stop("SIGPIPE");
      streams[stream].add(chunk);
      early?.(stream, decoders[stream].decode(chunk, { stream: true }));
    },
  });
  const span = spanOf(context);
  const stopTaking = takeSignals(context, ({ name }) => running.send(name));
  const stop = (): void => {
    // Signals of the shell's own `timeout` are sent above; don't send another one.
    if (host.signal().aborted || span === null || span.sent === null) running.stop("SIGTERM");
  };
  const signals = [host.signal(), ...(context.signal ? [context.signal] : [])];
  for (const signal of signals) {
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  }
  const end = await running.end;
  for (const signal of signals) signal.removeEventListener("abort", stop);
  stopTaking();
  return {
    end,
    answer(exitCode) {
      host.leaveOut("stdout", stdout.leftOut);
      host.leaveOut("stderr", stderr.leftOut);
      const said = new TextDecoder("utf-8", { ignoreBOM: true }).decode(stderr.bytes());
      const remark = `vibey: stopped: more than ${heldLimit / 1_000_000} MB of output went into a pipe, a file or a variable; have the program write a file itself\n`;
      return tooMuch
        ? { stdout: stdout.bytes(), stderr: said + remark, exitCode: 141 }
        : { stdout: stdout.bytes(), stderr: said, exitCode };
    },
  };
}
