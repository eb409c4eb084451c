import type { FileStat } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import type { LoadAsset } from "../assets.ts";
import { batches } from "../batches.ts";
import type { SandboxFiles } from "../sandbox.ts";
import { isDialogPath } from "../../protocol/write-rules.ts";
import { createFollowing, type Listed } from "./following.ts";
import { readFromShell } from "./from-shell.ts";
import { type ServedPorts, servePorts } from "./loopback/over-messages.ts";
import type { Ports } from "./loopback/ports.ts";
import type { FromShell, PutFile, ToShell } from "./protocol.ts";

/** The parts of a `Worker` that the sandbox needs. */
export interface WorkerLike {
  postMessage(message: ToShell, transfer: Transferable[]): void;
  terminate(): void;
  addEventListener(type: "message", listener: (event: MessageEvent<FromShell>) => void): void;
  addEventListener(type: "error", listener: (event: ErrorEvent) => void): void;
}

export interface ShellListener {
  message(message: Exclude<FromShell, { readonly type: "need" | "followed" | "asset" | "programs" | "ports" }>): void;
  /** The worker could not start, or threw outside of any command. */
  crash(why: string): void;
}

/**
 * A living worker, and what it has of the project.
 *
 * - `bringUpToDate` sends what changed since the last call. Files that a command touched are sent again, whatever their version.
 * - Dialogs change with every token and commands seldom read them, so their content is sent when a command reads it. The same applies to the larger
 *   files of a large project, most of which no command reads.
 */
export interface ShellWorker {
  listener: ShellListener | null;
  /** A call while another one is under way runs after it. */
  bringUpToDate(): Promise<void>;
  /** While a command runs: sends what others changed in the project, except dialogs and the command's own files. */
  follow(isOwn: (path: Path) => boolean): Promise<void>;
  /** The version of a file that the worker was given; null: it did not exist. */
  given(path: Path): number | null;
  /** Its content in the worker may differ from what the worker was given. */
  markTouched(path: Path): void;
  /** Its content in the worker is that of this version; null: the file does not exist there. */
  markGiven(path: Path, version: number | null): void;
  post(message: ToShell): void;
  /** The ports over which its programs reach each other and those of other workers. Only the first call counts. */
  join(ports: Ports): void;
  terminate(): void;
}

/** Not a version: the worker's copy must be sent again. */
const differs = -1;

/** How many files and bytes are read at the same time and sent in one message. A larger file is sent alone. */
const most = { files: 256, bytes: 4_000_000 };

/**
 * Bytes. A project up to this size is sent completely before its first command. Of a larger project, files above `lateFrom` are sent when they are
 * read.
 */
const wholeBytes = 16_000_000;
const lateFrom = 64_000;

/** A frame in which a shell's programs run. */
export interface OpenedPrograms {
  readonly port: MessagePort;
  close(): void;
}

/** `wanted`: whether programs should run in such frames now. */
export interface ProgramsParts {
  wanted(): boolean;
  open(): OpenedPrograms;
}

export function startShellWorker(
  files: SandboxFiles,
  createWorker: () => WorkerLike,
  loadAsset: LoadAsset,
  parts?: ProgramsParts,
): ShellWorker {
  const versions = new Map<Path, number>();
  const worker = createWorker();
  let programs: OpenedPrograms | null = null;
  let joined: ServedPorts | null = null;
  let terminated = false;
  let last: Promise<void> = Promise.resolve();
  /** The files that were sent without their content. */
  const late = lateFiles();
  /** The files that were requested and not read yet. */
  const needed = new Set<Path>();
  let answering = false;

  const post = (message: ToShell, transfer: Transferable[] = []): void => {
    if (!terminated) worker.postMessage(message, transfer);
  };
  const markGiven = (path: Path, version: number | null): void => {
    if (version === null) versions.delete(path);
    else versions.set(path, version);
  };
  const following = createFollowing({ files, look, given: versions, markGiven, putBack: (path) => late.putBack(path), post, most });

  async function look(): Promise<Listed> {
    const listed = withoutCovered(await files.list());
    const isLarge = listed.reduce((sum, stat) => sum + (isDialogPath(stat.path) ? 0 : stat.size), 0) > wholeBytes;
    const isLate = ({ path, size }: FileStat): boolean => isDialogPath(path) || (isLarge && size > lateFrom);
    late.list(listed.filter(isLate));
    return { listed, isLate };
  }

  async function update(): Promise<void> {
    const { listed, isLate } = await look();
    const here = new Set(listed.map((stat) => stat.path));
    for (const path of versions.keys()) {
      if (here.has(path)) continue;
      versions.delete(path);
      post({ type: "drop", path });
    }
    const stale = listed.filter((stat) => versions.get(stat.path) !== stat.version);
    // Between two batches the engine has time for other work, because reading waits for the store each time.
    for (const batch of batches(stale, (stat) => (isLate(stat) ? 0 : stat.size), most)) {
      if (terminated) return;
      await send(batch, isLate);
    }
  }

  async function send(batch: readonly FileStat[], isLate: (stat: FileStat) => boolean): Promise<void> {
    const now = batch.filter((stat) => !isLate(stat));
    const contents = now.length === 0 ? [] : await files.readMany(now.map(({ path }) => path));
    const put: PutFile[] = [];
    for (const { path, size, mtime, version } of batch.filter(isLate)) {
      versions.set(path, version);
      late.putBack(path);
      put.push({ path, bytes: null, size, mtime });
    }
    const transfer: Transferable[] = [];
    for (const [i, { path, mtime }] of now.entries()) {
      const content = contents[i];
      if (content) {
        versions.set(path, content.version);
        put.push({ path, bytes: content.bytes, size: content.bytes.length, mtime });
        transfer.push(content.bytes.buffer);
      } else {
        // The file has gone since it was listed.
        versions.delete(path);
        post({ type: "drop", path });
      }
    }
    if (put.length > 0) post({ type: "put", files: put }, transfer);
  }

  /** Files that are requested while the store is read are then read together. */
  async function answer(): Promise<void> {
    if (answering) return;
    answering = true;
    try {
      while (needed.size > 0) {
        if (terminated) return;
        const [asked = []] = batches(needed, late.size, most);
        for (const path of asked) needed.delete(path);
        const paths = [...asked, ...late.ahead(asked)];
        const contents = await files.readMany(paths);
        const answers = paths.map((path, i) => ({ path, bytes: contents[i]?.bytes ?? null }));
        post(
          { type: "content", files: answers },
          answers.flatMap(({ bytes }) => bytes?.buffer ?? []),
        );
      }
    } finally {
      answering = false;
    }
  }

  function loadAndAnswer({ id, name }: Extract<FromShell, { readonly type: "asset" }>): void {
    loadAsset(name).then(
      (bytes) => post({ type: "loaded", id, bytes, why: "" }),
      (error: unknown) => post({ type: "loaded", id, bytes: null, why: error instanceof Error ? error.message : String(error) }),
    );
  }

  function answerPrograms({ id, fresh }: Extract<FromShell, { readonly type: "programs" }>): void {
    if (parts?.wanted() !== true) return post({ type: "programs", id, on: false, port: null });
    if (!fresh && programs !== null) return post({ type: "programs", id, on: true, port: null });
    programs?.close();
    programs = parts.open();
    post({ type: "programs", id, on: true, port: programs.port }, [programs.port]);
  }

  const shell: ShellWorker = {
    listener: null,
    bringUpToDate() {
      const updated = last.then(update);
      // The caller learns of its failure.
      last = updated.catch(() => undefined);
      return updated;
    },
    follow(isOwn) {
      const done = last.then(() => following.send(isOwn));
      last = done.catch(() => undefined);
      return done;
    },
    given: (path) => versions.get(path) ?? null,
    markTouched: (path) => void versions.set(path, differs),
    markGiven,
    post: (message) => post(message),
    join(ports) {
      joined ??= servePorts(ports, (message) => post({ type: "ports", message }));
    },
    terminate() {
      terminated = true;
      worker.terminate();
      joined?.close();
      programs?.close();
    },
  };

  worker.addEventListener("message", (event) => {
    if (terminated) return;
    const data = readFromShell(event.data);
    if (data === null) shell.listener?.crash("it said what the engine does not understand");
    else if (data.type === "asset") loadAndAnswer(data);
    else if (data.type === "programs") answerPrograms(data);
    else if (data.type === "ports") joined?.hear(data.message);
    else if (data.type === "followed") following.heard(data.id);
    else if (data.type !== "need") {
      if (data.type === "write" || data.type === "append" || data.type === "remove") following.changed(data.path);
      shell.listener?.message(data);
    } else {
      needed.add(data.path);
      answer().catch((error: unknown) => shell.listener?.crash(`the project's files could not be read: ${String(error)}`));
    }
  });
  worker.addEventListener("error", (event) => {
    if (!terminated) shell.listener?.crash(event.message || "its script could not be loaded");
  });
  return shell;
}

/**
 * The project may have a file `a` as well as a file `a/b`, but a tree can't. Every worker then gets the folder, whichever came first, because one
 * file must not hide many.
 */
function withoutCovered(listed: readonly FileStat[]): readonly FileStat[] {
  const folders = new Set<string>();
  for (const { path } of listed) {
    // If the folder is in the set, so are its parents.
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return listed.filter(({ path }) => !folders.has(path));
}

/** The files whose content is sent on request, in the order in which commands come across them. */
function lateFiles() {
  let order: readonly FileStat[] = [];
  let places = new Map<Path, number>();
  const sent = new Set<Path>();
  /** The index after the last file sent, and how many were sent ahead then. */
  let next = -1;
  let ahead = 0;

  return {
    list(listed: readonly FileStat[]): void {
      order = listed;
      places = new Map(listed.map(({ path }, place) => [path, place]));
      next = -1;
    },
    size: (path: Path): number => order[places.get(path) ?? -1]?.size ?? 0,
    /** The worker again has the file without its content. */
    putBack: (path: Path): void => void sent.delete(path),
    /**
     * The files after the requested ones. A command that reads one file after another, like `grep -r`, gets twice as many each time; any other
     * command gets none.
     */
    ahead(asked: readonly Path[]): readonly Path[] {
      const [first, last] = [asked[0], asked.at(-1)].map((path) => (path === undefined ? -1 : (places.get(path) ?? -1)));
      if (first === undefined || last === undefined || last < 0) return [];
      ahead = first === next ? Math.min(Math.max(1, 2 * ahead), most.files) : 0;
      const [found = []] = batches(order.slice(last + 1, last + 1 + ahead), ({ size }) => size, most);
      next = last + 1 + found.length;
      const fresh = found.filter(({ path }) => !sent.has(path)).map(({ path }) => path);
      for (const path of [...asked, ...fresh]) sent.add(path);
      return fresh;
    },
  };
}
