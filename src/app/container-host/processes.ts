import type { FromWebContainer } from "../../shell/webcontainer/page-messages.ts";
import * as t from "../texts/webcontainer.ts";
import type { Container, ContainerProcess } from "./client.ts";
import type { Throttle } from "./throttle.ts";

/**
 * Milliseconds without output until the exit of an ended process is reported, even if its output is still open because something that it left behind
 * holds it.
 */
export const quietMs = 1_000;

interface Running {
  process: ContainerProcess | null;
  /** Input that arrived before the process had started. */
  input: string[];
  writer: WritableStreamDefaultWriter<string> | null;
  killed: boolean;
  /** Output that is not reported yet. */
  text: string;
  /** When output last arrived. */
  heard: number;
}

/** The processes that the engine starts. Output is collected for a moment, in order. The exit is reported once, after all output. */
export function createProcesses(tell: (message: FromWebContainer) => void, throttle: Throttle) {
  const all = new Map<number, Running>();

  function flush() {
    for (const [process, running] of all) flushOne(process, running);
  }

  function flushOne(process: number, running: Running) {
    if (running.text === "") return;
    const { text } = running;
    running.text = "";
    tell({ type: "output", process, text });
  }

  function exit(process: number, running: Running, code: number | null, why: string) {
    // The WebContainer ended in the meantime, and this exit was reported then.
    if (all.get(process) !== running) return;
    flushOne(process, running);
    all.delete(process);
    tell({ type: "exit", process, code, why });
  }

  async function read(running: Running, output: ReadableStream<string>) {
    const reader = output.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      running.heard = performance.now();
      running.text += value;
      throttle(flush);
    }
  }

  /** Waits until no output has arrived for a while. */
  async function quiet(running: Running) {
    for (let rest = quietMs; rest > 0; rest = running.heard + quietMs - performance.now())
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, rest)));
  }

  async function run(id: number, running: Running, start: () => Promise<ContainerProcess>) {
    try {
      const process = await start();
      if (all.get(id) !== running) return process.kill();
      running.process = process;
      running.writer = process.input.getWriter();
      for (const text of running.input.splice(0)) write(running.writer, text);
      if (running.killed) process.kill();
      const ended = read(running, process.output).catch((error: unknown) => console.info("The rest of an output was lost.", error));
      const code = await process.exit;
      running.heard = performance.now();
      await Promise.race([ended, quiet(running)]);
      exit(id, running, code, "");
    } catch (error) {
      exit(id, running, null, t.processFailed(error instanceof Error ? error.message : String(error)));
    }
  }

  return {
    flush,
    /** Whether any process is running. */
    some: () => all.size > 0,
    start(container: Container | null, id: number, program: string, args: readonly string[]) {
      if (container === null) return tell({ type: "exit", process: id, code: null, why: t.notRunning });
      const running: Running = { process: null, input: [], writer: null, killed: false, text: "", heard: 0 };
      all.set(id, running);
      void run(id, running, () => container.spawn(program, [...args]));
    },
    /** The input is dropped if the process has ended in the meantime. */
    input(id: number, text: string) {
      const running = all.get(id);
      if (running?.writer) write(running.writer, text);
      else running?.input.push(text);
    },
    kill(id: number) {
      const running = all.get(id);
      if (!running) return;
      running.killed = true;
      running.process?.kill();
    },
    /** All processes have ended with their WebContainer. */
    end(why: string) {
      for (const [id, running] of all) exit(id, running, null, why);
    },
  };
}

/** Input to a process that has just ended is lost, as with a pipe. */
function write(writer: WritableStreamDefaultWriter<string>, text: string) {
  writer.write(text).catch((error: unknown) => console.info("A process did not take its input.", error));
}
