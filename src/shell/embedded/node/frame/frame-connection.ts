import { deferred } from "../../deferred.ts";
import type { SyncFiles, TreeEntry } from "../../sync-files.ts";
import type { FromFrame, ProcessSettings, ToFrame, ToProcess } from "./messages.ts";

/** The frame that runs one dialog's programs, as the shell sees it. */
export interface ProgramFrame {
  /** Starts a process over the current files. `ended` is called once if the browser has ended it. */
  start(files: SyncFiles, settings: ProcessSettings, ended: (why: string) => void): FrameProcess;
  /** Reserves a slot for a process, whichever program starts it. False: there are too many. */
  enter(): boolean;
  leave(): void;
  /** False: the browser has removed the frame, with everything that ran in it. */
  isAlive(): boolean;
}

export interface FrameProcess {
  readonly port: MessagePort;
  end(): void;
}

/** The maximum number of processes in a frame, including those of programs that other programs start as commands. */
export const mostProcesses = 16;

/** Milliseconds for the page to create the frame, and for the frame to answer. */
const startLimit = 15_000;

/** Milliseconds between two pings of a frame in which something runs, and how many may stay unanswered. */
const pingEvery = 2_000;
const mostUnanswered = 5;

const processGone = "the browser ended it; it may have taken too much memory";

/** The frame may hold this many bytes of stale contents in addition to what it needs; beyond that it is sent everything again. */
const mostStale = 64_000_000;

/** Connects to the frame at the other end of `port`, whose processes run `script`. Rejects if the frame does not answer. */
export async function openProgramFrame(port: MessagePort, script: string): Promise<ProgramFrame> {
  /** Why the frame is unavailable; null while it is alive. */
  const { promise: ready, resolve } = deferred<string | null>();
  const running = new Map<number, (why: string) => void>();
  let alive = true;
  let lastId = 0;
  let living = 0;
  let unanswered = 0;
  let pings: ReturnType<typeof setInterval> | undefined;
  const sent = createSent();

  function lose(why: string): void {
    alive = false;
    clearInterval(pings);
    resolve(why);
    for (const ended of running.values()) ended(why);
    running.clear();
  }

  port.addEventListener("message", ({ data }: MessageEvent<FromFrame>) => {
    if (data.type === "ready") resolve(null);
    else if (data.type === "pong") unanswered = 0;
    else {
      running.get(data.id)?.(data.why);
      running.delete(data.id);
    }
  });
  // The frame's process has crashed, most likely because it ran out of memory. In browsers that don't report it, the frame stops answering.
  port.addEventListener("close", () => lose(processGone));
  port.start();
  const post = (message: ToFrame, transfer: Transferable[] = []): void => port.postMessage(message, transfer);
  function ping(): void {
    if (running.size === 0) {
      clearInterval(pings);
      pings = undefined;
    } else if (unanswered >= mostUnanswered) lose(processGone);
    else {
      unanswered++;
      post({ type: "ping" });
    }
  }
  const timer = setTimeout(() => lose(`the frame for programs did not answer within ${startLimit / 1000} s`), startLimit);
  const why = await ready;
  clearTimeout(timer);
  if (why !== null) throw new Error(why);
  post({ type: "script", text: script });

  return {
    enter() {
      if (living >= mostProcesses) return false;
      living++;
      return true;
    },
    leave: () => void living--,
    // If nothing runs in this frame, it is given up early: a new one costs nothing.
    isAlive: () => alive && (unanswered < 2 || running.size > 0),
    start(files, settings, ended) {
      const id = ++lastId;
      const { port1, port2 } = new MessageChannel();
      const { message, buffer } = sent.update(files.all());
      post(message, [buffer]);
      post({ type: "start", id, settings, port: port2 }, [port2]);
      port1.postMessage({ type: "begin" } satisfies ToProcess);
      // Not before: a process that could not be started must not be ended.
      running.set(id, ended);
      pings ??= setInterval(ping, pingEvery);
      return {
        port: port1,
        end() {
          running.delete(id);
          port1.close();
          post({ type: "end", id });
        },
      };
    },
  };
}

/** The files that the frame has, by path. A file's bytes are never changed in place, so the same bytes object means the same content. */
function createSent() {
  let known = new Map<string, TreeEntry>();
  let stale = 0;

  const isSame = (a: TreeEntry | undefined, b: TreeEntry): boolean =>
    a !== undefined && a.bytes === b.bytes && a.kind === b.kind && a.mtime === b.mtime && a.mode === b.mode && a.size === b.size;

  return {
    update(all: Iterable<TreeEntry>): { readonly message: ToFrame; readonly buffer: ArrayBuffer } {
      const whole = stale > mostStale || known.size === 0;
      const before = whole ? new Map<string, TreeEntry>() : known;
      known = new Map();
      const changed: TreeEntry[] = [];
      let size = 0;
      for (const entry of all) {
        known.set(entry.path, entry);
        const old = before.get(entry.path);
        before.delete(entry.path);
        if (isSame(old, entry)) continue;
        stale += old?.bytes?.length ?? 0;
        changed.push(entry);
        size += entry.bytes?.length ?? 0;
      }
      for (const gone of before.values()) stale += gone.bytes?.length ?? 0;
      if (whole) stale = 0;
      const packed = new Uint8Array(size);
      let at = 0;
      const files = changed.map((entry) => {
        if (entry.bytes === null) return entry;
        packed.set(entry.bytes, at);
        at += entry.bytes.length;
        return { ...entry, bytes: packed.subarray(at - entry.bytes.length, at) };
      });
      return { message: { type: "files", whole, files, gone: [...before.keys()] }, buffer: packed.buffer };
    },
  };
}
