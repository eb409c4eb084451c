import type { Path } from "../../../fs/path.ts";
import type { SandboxFiles } from "../sandbox.ts";
import { isDialogPath } from "../../write-rules.ts";
import type { FromShell, ToShell } from "./protocol.ts";

/** What the sandbox needs of a `Worker`. */
export interface WorkerLike {
  postMessage(message: ToShell, transfer: Transferable[]): void;
  terminate(): void;
  addEventListener(type: "message", listener: (event: MessageEvent<FromShell>) => void): void;
  addEventListener(type: "error", listener: (event: ErrorEvent) => void): void;
}

export interface ShellListener {
  message(message: Exclude<FromShell, { readonly type: "need" }>): void;
  /** The worker could not start, or threw outside any command. */
  crash(why: string): void;
}

/**
 * One living worker and what it knows of the project.
 *
 * - `bringUpToDate` sends what changed since it was last called; what a command touched is sent again, whatever its version.
 * - Dialogs change with every token and are seldom read by a command: their content is sent when a command reads it.
 */
export interface ShellWorker {
  listener: ShellListener | null;
  bringUpToDate(): Promise<void>;
  /** The version of a file that the worker was given; null: it was not there. */
  given(path: Path): number | null;
  /** Its content in the worker may differ from what it was given. */
  markTouched(path: Path): void;
  post(message: ToShell): void;
  terminate(): void;
}

/** No version of a file: the worker's copy has to be sent again. */
const differs = -1;

/** How many files are read at the same time. */
const batch = 64;

export function startShellWorker(files: SandboxFiles, createWorker: () => WorkerLike): ShellWorker {
  const versions = new Map<Path, number>();
  const worker = createWorker();
  let terminated = false;

  const post = (message: ToShell): void => {
    if (!terminated) worker.postMessage(message, []);
  };

  async function send(stat: {
    readonly path: Path;
    readonly size: number;
    readonly mtime: number;
    readonly version: number;
  }): Promise<void> {
    const { path, size, mtime } = stat;
    if (isDialogPath(path)) {
      versions.set(path, stat.version);
      post({ type: "put", path, bytes: null, size, mtime });
      return;
    }
    const content = await files.read(path);
    if (content === null) {
      // Gone since it was listed.
      versions.delete(path);
      post({ type: "drop", path });
      return;
    }
    versions.set(path, content.version);
    post({ type: "put", path, bytes: content.bytes, size: content.bytes.length, mtime });
  }

  async function answer(path: Path): Promise<void> {
    const content = await files.read(path);
    post({ type: "content", path, bytes: content?.bytes ?? null });
  }

  const shell: ShellWorker = {
    listener: null,
    async bringUpToDate() {
      const listed = await files.list();
      const here = new Set(listed.map((stat) => stat.path));
      for (const path of versions.keys()) {
        if (here.has(path)) continue;
        versions.delete(path);
        post({ type: "drop", path });
      }
      const stale = listed.filter((stat) => versions.get(stat.path) !== stat.version);
      for (let at = 0; at < stale.length; at += batch) await Promise.all(stale.slice(at, at + batch).map(send));
    },
    given: (path) => versions.get(path) ?? null,
    markTouched: (path) => void versions.set(path, differs),
    post,
    terminate() {
      terminated = true;
      worker.terminate();
    },
  };

  worker.addEventListener("message", ({ data }) => {
    if (terminated) return;
    if (data.type !== "need") shell.listener?.message(data);
    else answer(data.path).catch((error: unknown) => shell.listener?.crash(`the project's files could not be read: ${String(error)}`));
  });
  worker.addEventListener("error", (event) => {
    if (!terminated) shell.listener?.crash(event.message || "its script could not be loaded");
  });
  return shell;
}
