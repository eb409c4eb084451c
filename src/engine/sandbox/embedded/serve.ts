import type { Path } from "../../../fs/path.ts";
import { dialogRefusal } from "../../permissions.ts";
import type { FromShell, ShellDone, ToShell } from "./protocol.ts";
import { createShell } from "./shell.ts";
import { createShellFiles } from "./shell-files.ts";

export interface ShellPort {
  post(message: FromShell): void;
  /** Called once; every message from then on goes to `listener`. */
  listen(listener: (message: ToShell) => void): void;
}

/** The worker's side of the protocol. */
export function serveShell(port: ShellPort, clock: () => number): void {
  const asked = new Map<Path, ((bytes: Uint8Array | null) => void)[]>();
  let running: AbortController | null = null;

  const files = createShellFiles({
    refusal: dialogRefusal,
    record: (op) => port.post(op),
    now: () => Date.now(),
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
  const shell = createShell(files, clock);

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
        running?.abort();
        return undefined;
      case "run": {
        running = new AbortController();
        port.post({ type: "started" });
        const { signal } = running;
        void shell
          .run({ ...message, signal })
          .catch((error: unknown) => failed(error, message.folder, signal.aborted))
          .then((done) => {
            running = null;
            port.post(done);
          });
        return undefined;
      }
    }
  });
}

/** A fault of the interpreter, which just-bash throws instead of printing it. */
function failed(error: unknown, folder: string, aborted: boolean): ShellDone {
  return { type: "done", stdout: "", stderr: `bash: internal error: ${String(error)}\n`, exitCode: 126, limit: null, aborted, folder };
}
