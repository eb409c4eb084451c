// oxlint-disable-next-line import/no-unassigned-import -- its effect is its purpose, and it comes before all other modules.
import "./early.ts";
import { constants } from "node:os";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { createInputReader, encodeLine, type FromScript, lineMark, type ToScript } from "../script-protocol.ts";
import { install } from "./install.ts";
import { createProcesses } from "./programs/processes.ts";
import { serve } from "./serve.ts";

/**
 * The shell inside a WebContainer: one process, one command. It runs the shell's own commands, including git, over the WebContainer's real files, and
 * everything else as real programs. script-protocol.ts describes its messages.
 */
const processes = createProcesses();

/** Settles when the message is completely written. */
function post(message: FromScript): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(lineMark + encodeLine(message), () => resolve());
  });
}

async function runOne(): Promise<void> {
  // A terminal would echo its input, and cut long lines.
  if (process.stdin.isTTY) process.stdin.setRawMode(true);
  process.stdin.setEncoding("utf8");
  /** The exit code of the process. */
  let exitCode = 0;
  let isRunning = false;
  const early: ToScript[] = [];
  let hear = (message: ToScript): void => void early.push(message);
  let end = (code: number): void => process.exit(code);

  const input = createInputReader((message) => hear(message));
  process.stdin.on("data", (chunk: string) => input.take(chunk));
  process.stdin.on("end", () => end(0));
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => end(128 + constants.signals[signal]));
  // No one reads the output any longer.
  process.stdout.on("error", () => process.exit(1));
  process.on("exit", () => processes.endAll());

  const served = await serve({ project: process.cwd(), variables: env, processes, post: (message) => void post(message) });
  async function runAndEnd(message: Extract<ToScript, { readonly type: "run" }>): Promise<void> {
    await post(await served.run(message));
    process.exit(exitCode);
  }
  end = (code) => {
    exitCode = code;
    if (isRunning) served.abort();
    else process.exit(code);
  };
  hear = (message) => {
    switch (message.type) {
      case "abort":
        return served.abort();
      case "answered":
        return served.answered(message.id, message.answer);
      case "run": {
        if (isRunning) throw new Error("a second command: this process runs one");
        isRunning = true;
        return void runAndEnd(message);
      }
    }
  };
  await post({ type: "ready" });
  for (const message of early.splice(0)) hear(message);
}

if (process.argv.includes("--install")) await post({ type: "installed", path: install(fileURLToPath(import.meta.url)) });
else await runOne();
