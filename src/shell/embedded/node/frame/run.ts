import { deferred } from "../../deferred.ts";
import { createOutput } from "../output.ts";
import type { Ended, Program } from "../program.ts";
import type { ProgramFrame } from "./frame-connection.ts";
import { startProcess } from "./one-process.ts";
import { createRoom, tooManyProcesses } from "./room.ts";

/** Runs a program as a process of the frame until it ends; everything it started ends with it. */
export async function runInFrame(program: Program, frame: ProgramFrame): Promise<Ended> {
  const { host, start, conditions, stdin } = program;
  const output = createOutput(program.live);
  const { promise, resolve } = deferred<{ readonly code: number | null; readonly broken: string | null }>();
  const room = createRoom(program, frame);
  if (!room.enter()) return { stdout: "", stderr: tooManyProcesses, exitCode: 1 };
  const process = startProcess(
    { start, conditions, stdin: stdin.slice(), piped: false, data: null },
    {
      room,
      print: (stream, printed) => output.print(stream, printed),
      // No process started it, so there is no parent.
      posted: () => undefined,
      report(json) {
        if (!output.reported(json)) return false;
        program.report?.(json);
        return true;
      },
      ended: (code, broken) => resolve({ code, broken }),
    },
  );
  host.takeSignals?.(({ name }) => process.signal(name));
  const stopWaiting = waitForEnd(program, () => resolve({ code: null, broken: null }));
  const { code, broken } = await promise;
  stopWaiting();
  process.end();
  if (room.lost > 0) output.explain(`node: ${room.lost} file changes were dropped because someone else changed the same files\n`);
  if (host.stop() === null && broken !== null) {
    output.explain(`${broken}\n`);
    return { stdout: output.stdout(), stderr: output.stderr(), exitCode: 134 };
  }
  return { stdout: output.stdout(), stderr: output.stderr(), exitCode: code ?? 1 };
}

/** Calls `stop` when the command must stop. Its time may be paused in between. */
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
