import type { FileStat } from "../../../fs/files.ts";
import type { Path } from "../../../fs/path.ts";
import type { LoadAsset } from "../assets.ts";
import type { SandboxFiles } from "../sandbox.ts";
import { isDialogPath } from "../../write-rules.ts";
import { readFromShell } from "./from-shell.ts";
import type { FromShell, PutFile, ToShell } from "./protocol.ts";

/** What the sandbox needs of a `Worker`. */
export interface WorkerLike {
  postMessage(message: ToShell, transfer: Transferable[]): void;
  terminate(): void;
  addEventListener(type: "message", listener: (event: MessageEvent<FromShell>) => void): void;
  addEventListener(type: "error", listener: (event: ErrorEvent) => void): void;
}

export interface ShellListener {
  message(message: Exclude<FromShell, { readonly type: "need" | "asset" }>): void;
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
  /** Called while it is under way, it comes after that. */
  bringUpToDate(): Promise<void>;
  /** The version of a file that the worker was given; null: it was not there. */
  given(path: Path): number | null;
  /** Its content in the worker may differ from what it was given. */
  markTouched(path: Path): void;
  /** Its content in the worker is that of this version, null when it is not there. */
  markGiven(path: Path, version: number | null): void;
  post(message: ToShell): void;
  terminate(): void;
}

/** No version of a file: the worker's copy has to be sent again. */
const differs = -1;

/** How many files are read at the same time and sent in one message, and of how many bytes together, as far as one file is not larger. */
const batchFiles = 128;
const batchBytes = 4_000_000;

export function startShellWorker(files: SandboxFiles, createWorker: () => WorkerLike, loadAsset: LoadAsset): ShellWorker {
  const versions = new Map<Path, number>();
  const worker = createWorker();
  let terminated = false;
  let last: Promise<void> = Promise.resolve();

  const post = (message: ToShell): void => {
    if (!terminated) worker.postMessage(message, []);
  };

  /** null: it is gone since it was listed. */
  async function load(stat: FileStat): Promise<{ readonly file: PutFile; readonly version: number } | null> {
    const { path, size, mtime } = stat;
    if (isDialogPath(path)) return { file: { path, bytes: null, size, mtime }, version: stat.version };
    const content = await files.read(path);
    return content && { file: { path, bytes: content.bytes, size: content.bytes.length, mtime }, version: content.version };
  }

  async function update(): Promise<void> {
    const listed = await files.list();
    const here = new Set(listed.map((stat) => stat.path));
    for (const path of versions.keys()) {
      if (here.has(path)) continue;
      versions.delete(path);
      post({ type: "drop", path });
    }
    const stale = listed.filter((stat) => versions.get(stat.path) !== stat.version);
    // Between two batches the engine has time for others: reading waits for the store each time.
    for (const batch of batches(stale)) {
      if (terminated) return;
      const loaded = await Promise.all(batch.map(load));
      const there = loaded.filter((each) => each !== null);
      for (const [i, each] of loaded.entries()) {
        if (each !== null || !batch[i]) continue;
        versions.delete(batch[i].path);
        post({ type: "drop", path: batch[i].path });
      }
      // Only now: where one of them can't be read, none of them is sent.
      for (const { file, version } of there) versions.set(file.path, version);
      if (there.length > 0) post({ type: "put", files: there.map(({ file }) => file) });
    }
  }

  async function answer(path: Path): Promise<void> {
    const content = await files.read(path);
    post({ type: "content", path, bytes: content?.bytes ?? null });
  }

  function loadAndAnswer({ id, name }: Extract<FromShell, { readonly type: "asset" }>): void {
    loadAsset(name).then(
      (bytes) => post({ type: "loaded", id, bytes, why: "" }),
      (error: unknown) => post({ type: "loaded", id, bytes: null, why: error instanceof Error ? error.message : String(error) }),
    );
  }

  const shell: ShellWorker = {
    listener: null,
    bringUpToDate() {
      const updated = last.then(update);
      // Whoever asked for it hears of its failure.
      last = updated.catch(() => undefined);
      return updated;
    },
    given: (path) => versions.get(path) ?? null,
    markTouched: (path) => void versions.set(path, differs),
    markGiven(path, version) {
      if (version === null) versions.delete(path);
      else versions.set(path, version);
    },
    post,
    terminate() {
      terminated = true;
      worker.terminate();
    },
  };

  worker.addEventListener("message", (event) => {
    if (terminated) return;
    const data = readFromShell(event.data);
    if (data === null) shell.listener?.crash("it said what the engine does not understand");
    else if (data.type === "asset") loadAndAnswer(data);
    else if (data.type !== "need") shell.listener?.message(data);
    else answer(data.path).catch((error: unknown) => shell.listener?.crash(`the project's files could not be read: ${String(error)}`));
  });
  worker.addEventListener("error", (event) => {
    if (!terminated) shell.listener?.crash(event.message || "its script could not be loaded");
  });
  return shell;
}

function* batches(stale: readonly FileStat[]): Generator<readonly FileStat[]> {
  let batch: FileStat[] = [];
  let bytes = 0;
  for (const stat of stale) {
    if (batch.length > 0 && (batch.length === batchFiles || bytes + stat.size > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(stat);
    bytes += isDialogPath(stat.path) ? 0 : stat.size;
  }
  if (batch.length > 0) yield batch;
}
