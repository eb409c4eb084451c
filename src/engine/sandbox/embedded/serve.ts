// First: see interpreter-errors.ts.
import { learnInterpreterErrors } from "./interpreter-errors.ts";
import type { Path } from "../../../fs/path.ts";
import { dialogRefusal } from "../../write-rules.ts";
import type { FromShell, ShellDone, ToShell } from "./protocol.ts";
import { type Clock, createShell, type Shell } from "./shell.ts";
import { createShellFiles } from "./shell-files.ts";

export interface ShellPort {
  post(message: FromShell): void;
  /** Called once; every message from then on goes to `listener`, in order. */
  listen(listener: (message: ToShell) => void): void;
}

/** The worker's side of the protocol. Settles when it is ready; messages that come before that have to wait. */
export async function serveShell(port: ShellPort, clock: Clock): Promise<void> {
  const errors = await learnInterpreterErrors();
  const asked = new Map<Path, ((bytes: Uint8Array | null) => void)[]>();
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
  const shell = createShell(files, errors, clock);

  port.listen((message) => {
    switch (message.type) {
      case "put":
        return files.put(message.path, message.bytes, message.size, message.mtime);
      case "drop":
        return files.drop(message.path);
      case "content": {
        const waiting = asked.get(message.path) ?? [];
        asked.delete(message.path);
        for (const resolve of waiting) resolve(message.bytes);
        return undefined;
      }
      case "abort":
        return running?.abort();
      case "run": {
        running = new AbortController();
        port.post({ type: "started" });
        void runAndAnswer(shell, message, running.signal, port);
        return undefined;
      }
    }
  });
}

type Run = Extract<ToShell, { readonly type: "run" }>;

async function runAndAnswer(shell: Shell, run: Run, signal: AbortSignal, port: ShellPort): Promise<void> {
  port.post(await runSafely(shell, run, signal));
}

async function runSafely(shell: Shell, run: Run, signal: AbortSignal): Promise<ShellDone> {
  try {
    return await shell.run({ ...run, signal });
  } catch (error) {
    // A fault of the interpreter, which just-bash throws instead of printing it.
    const stderr = `bash: internal error: ${String(error)}\n`;
    return { type: "done", stdout: "", stderr, exitCode: 126, limit: null, aborted: signal.aborted, folder: run.folder };
  }
}
