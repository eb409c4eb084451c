import type { NetAnswer } from "../network.ts";
import type { RunOptions } from "../sandbox.ts";
import { cutMiddle } from "./cut.ts";
import { deferred } from "./deferred.ts";
import type { Timers } from "../timers.ts";
import { type FromShell, projectFolder, type ShellDone } from "./protocol.ts";
import type { ShellWorker } from "./shell-worker.ts";
import { createShown, type Shown } from "./shown.ts";
import type { Touched } from "./touched.ts";

/** Milliseconds. just-bash checks its deadline often but not always; after this time the worker is killed. */
const timeGrace = 400;
/** Milliseconds. A waiting command ends about ten milliseconds after an abort, even on a busy machine; a computing one never notices the abort. */
const abortGrace = 40;
/** Milliseconds for the worker's script to load and for the files to be sent. */
const startLimit = 60_000;

export interface OneCommand {
  readonly command: string;
  readonly place: Place;
  readonly options: Omit<RunOptions, "commit">;
  /** UTF-16 units that are shown while it runs; after that, less is shown. */
  readonly liveCharacters: number;
  readonly signal: AbortSignal;
  readonly touched: Touched;
  /** Why the worker has already failed; null or missing: it has not. */
  readonly failed?: string | null;
  /** Called once, when the worker has started the command. */
  readonly started?: () => void;
  /** Called when the command's time is paused because the user is asked, and when it continues. */
  readonly standsStill?: (still: boolean) => void;
}

/** The absolute working directory, and the exported variables. */
export type Place = Pick<ShellDone, "folder" | "env">;

export const firstPlace: Place = { folder: projectFolder, env: {} };

export type Loss = "time" | "abort" | "crash";

/** `never`: it was stopped before the worker got it. `lost`: the worker must be terminated. */
export type Ending =
  | { readonly kind: "never" }
  | { readonly kind: "done"; readonly done: ShellDone; readonly startedAt: number | null }
  | { readonly kind: "lost"; readonly why: Loss; readonly detail: string; readonly startedAt: number | null; readonly shown: Shown };

/** The maximum number of concurrent requests of a command, and of those that wait for their turn. */
const mostRequests = 16;
const mostInLine = 1_000;

/** Runs one command in a worker. Settles when the command has ended, or when there is nothing more to wait for. Never rejects. */
export async function runOneCommand(shell: ShellWorker, given: OneCommand, timers: Timers): Promise<Ending> {
  const { command, place, options, signal, touched } = given;
  const { promise, resolve } = deferred<Ending>();
  let hasEnded = false;
  const settle = (ending: Ending): void => {
    hasEnded = true;
    resolve(ending);
  };
  /** Aborts work on the command's behalf that is of no use after it. */
  const over = new AbortController();
  const shown = createShown(options.maxBytes);
  let startedAt: number | null = null;
  const lose = (why: Loss, detail = ""): void => settle({ kind: "lost", why, detail, startedAt, shown });
  let stopTimer = timers.after(startLimit, () => lose("crash", "it did not start in time"));
  let stopAbortTimer = (): void => undefined;
  let posted = false;
  /** When the command's time is over; while it is paused, `left` has the rest. */
  let end = 0;
  let left: number | null = null;
  /** Requests about which the user is being asked. */
  const asked = new Set<number>();
  let underWay = 0;
  const inLine: (() => void)[] = [];

  function setEnd(at: number): void {
    end = at;
    stopTimer();
    stopTimer = timers.after(end - timers.now() + timeGrace, () => lose("time"));
  }

  function setAsked(request: number, isAsked: boolean): void {
    if (over.signal.aborted || isAsked === asked.has(request)) return;
    if (isAsked) asked.add(request);
    else asked.delete(request);
    if (asked.size === 1 && isAsked) {
      left = Math.max(0, end - timers.now());
      stopTimer();
      shell.post({ type: "clock", running: false });
      given.standsStill?.(true);
    } else if (asked.size === 0 && left !== null) {
      setEnd(timers.now() + left);
      left = null;
      shell.post({ type: "clock", running: true });
      given.standsStill?.(false);
    }
  }

  /** Makes a request for the command and answers it. */
  async function reach(message: Extract<FromShell, { type: "fetch" }>): Promise<void> {
    if (underWay >= mostRequests) {
      if (inLine.length >= mostInLine) {
        const why = `a command makes at most ${mostRequests + mostInLine} requests at one time`;
        return shell.post({ type: "fetched", id: message.id, answer: { kind: "refused", why } });
      }
      // A finished request passes its place to the next one.
      await new Promise<void>((enter) => inLine.push(enter));
    } else underWay += 1;
    try {
      await reachNow(message);
    } finally {
      const next = inLine.shift();
      if (next) next();
      else underWay -= 1;
    }
  }

  async function reachNow({ id, request }: Extract<FromShell, { type: "fetch" }>): Promise<void> {
    const context = { signal: over.signal, waitsForHuman: (waits: boolean) => setAsked(id, waits) };
    const none: NetAnswer = { kind: "refused", why: "there is no network here" };
    const answered = (await options.network?.(request, context)) ?? none;
    setAsked(id, false);
    if (!over.signal.aborted) shell.post({ type: "fetched", id, answer: answered });
  }

  async function answer({ id, operands }: Extract<FromShell, { type: "background" }>): Promise<void> {
    const none = { stdout: "", stderr: "background: there is no background here\n", exitCode: 1 };
    const printed = (await options.background?.(operands, over.signal)) ?? none;
    if (!over.signal.aborted) shell.post({ type: "answered", id, answer: printed });
  }

  const fault = (error: unknown): void => lose("crash", `Vibey failed: ${String(error)}`);

  const onAbort = (): void => {
    if (!posted) return settle({ kind: "never" });
    shell.post({ type: "abort" });
    stopAbortTimer = timers.after(abortGrace, () => lose("abort"));
  };
  signal.addEventListener("abort", onAbort);

  shell.listener = {
    crash: (why) => lose("crash", why),
    message(message) {
      if (message.type === "done") settle({ kind: "done", done: within(message, options.maxBytes), startedAt });
      else if (message.type === "started") {
        // Only once, because its time begins once.
        if (!posted || startedAt !== null) return;
        startedAt = timers.now();
        setEnd(startedAt + options.timeoutMs);
        given.started?.();
      } else if (message.type === "fetch") reach(message).catch(fault);
      else if (message.type === "background") answer(message).catch(fault);
      else if (message.type === "output") {
        shown.add(message.output);
        options.onOutput?.(message.output);
      } else if (message.type === "prepared") lose("crash", "it answered what it was not asked");
      else
        try {
          touched.apply(message);
        } catch (error) {
          fault(error);
        }
    },
  };

  if (given.failed != null) lose("crash", given.failed);
  try {
    await Promise.race([shell.bringUpToDate(), promise]);
    if (signal.aborted) settle({ kind: "never" });
    // A command that has already failed is not claimed. A stop may arrive while the claim is stored.
    else if (hasEnded || (await options.claim?.()) === false || signal.aborted) settle({ kind: "never" });
    else {
      posted = true;
      const { timeoutMs, maxBytes } = options;
      shell.post({ type: "run", command, ...place, timeoutMs, maxBytes, liveCharacters: given.liveCharacters });
    }
    return await promise;
  } catch (error) {
    return { kind: "lost", why: "crash", detail: `the project's files could not be read: ${String(error)}`, startedAt, shown };
  } finally {
    over.abort();
    stopTimer();
    stopAbortTimer();
    signal.removeEventListener("abort", onAbort);
    shell.listener = null;
    if (asked.size > 0) given.standsStill?.(false);
  }
}

/** The shell keeps to the limit itself, unless something has taken it over. */
function within(done: ShellDone, maxBytes: number): ShellDone {
  const [stdout, stderr] = [cutMiddle(done.stdout, maxBytes), cutMiddle(done.stderr, maxBytes)];
  if (!stdout.cut && !stderr.cut) return done;
  return { ...done, stdout: stdout.text, stderr: stderr.text, limit: done.limit ?? "output" };
}

/** bash's exit codes: 124 as for `timeout`, 130 for an interrupt, 126 for what could not be run. */
export function lostOutcome({
  why,
  detail,
  startedAt,
  shown,
}: Extract<Ending, { kind: "lost" }>): Omit<ShellDone, "type" | "folder" | "env"> {
  const { stdout, stderr, cut } = shown.kept();
  const remark =
    why === "crash"
      ? `vibey: the shell failed and will be restarted: ${detail}\n`
      : startedAt === null
        ? ""
        : "vibey: the command did not stop by itself, so the shell was restarted; files that it had written are kept, the last of what it had printed may be missing\n";
  return {
    stdout,
    stderr: `${stderr}${stderr === "" || stderr.endsWith("\n") ? "" : "\n"}${remark}`,
    exitCode: why === "time" ? 124 : why === "abort" ? 130 : 126,
    limit: why === "time" ? "time" : cut ? "output" : null,
    aborted: why === "abort",
  };
}
