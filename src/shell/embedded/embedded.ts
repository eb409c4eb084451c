import type { Path } from "../../fs/path.ts";
import type { LoadAsset } from "../assets.ts";
import { batches } from "../batches.ts";
import { equalBytes } from "../equal-bytes.ts";
import type { PolicyWait } from "../policy.ts";
import type { BackgroundOptions, EmbeddedSandbox, RunOptions, RunOutcome, SandboxChange, SandboxFiles } from "../sandbox.ts";
import { createExclusive, createTurns } from "../turns.ts";
import { changesOf, comparedAtOnce } from "./changes.ts";
import { createCommandQueue, type CommandTurn } from "./command-queue.ts";
import { type Following, followProject } from "./follow-project.ts";
import { createDialogPorts } from "./loopback/dialog-ports.ts";
import { firstPlace, lostOutcome, type Place, runOneCommand } from "./one-command.ts";
import type { Asker } from "./parts/asker.ts";
import { withPython } from "./prepare-python.ts";
import { type ProgramsParts, type ShellWorker, startShellWorker, type WorkerLike } from "./shell-worker.ts";
import { createStarting } from "./loopback/starting.ts";
import { createTouched, type TouchedFile } from "./touched.ts";
import type { Timers } from "../timers.ts";

export interface EmbeddedSandboxOptions {
  readonly files: SandboxFiles;
  readonly createWorker: () => WorkerLike;
  readonly timers: Timers;
  readonly assets: LoadAsset;
  /** Parses commands. Missing: no command can be parsed. */
  readonly asker?: Asker;
  /** No worker is created before this has settled. Missing: commands need not wait. */
  readonly policy?: PolicyWait;
  /** Frames for the `node` programs of each worker. Missing: they run on QuickJS. */
  readonly programs?: ProgramsParts;
}

/** UTF-16 units of a command's output that are shown while it runs. For a background command, that is all there is to see until it ends. */
const liveCharacters = 262_144;
const liveCharactersBeside = 1_000_000;

/** The maximum number of concurrent commands: each may take a processor, and its worker up to 1 GB. */
export const mostCommands = 6;

/**
 * The next command may begin after a command has run for this many milliseconds. So short commands run one after another, each over what the previous
 * one has stored, and two that append to one file or commit to one repository don't conflict.
 */
export const beginApart = 400;

/**
 * The maximum number of workers that run a command or keep their files for their session's next command. Each takes some tens of megabytes, plus the
 * project's files.
 */
const mostWorkers = 8;

const waitsForTurn = `Waiting for its turn: ${mostCommands} commands run already…`;

/** The outcome of a command that never began: there is nothing to commit. */
const stopped: RunOutcome = { stdout: "", stderr: "", exitCode: 130, limit: null, aborted: true, ms: 0, changes: [] };

const filesGone = "vibey: the shell was restarted; files outside /project, such as those in /tmp, are gone\n";

/** UTF-16 units, including names. The engine stores what each session has exported and passes it to each of its commands. */
const mostExported = 1_000_000;

const tooMuchExported = "vibey: what is exported takes more than 1 MB, so the next command has what was exported before\n";

/** A command that has run for this many milliseconds may have to be killed, so the next worker is prepared. */
const nextAfter = 250;

/**
 * The sandbox that works everywhere: just-bash in a disposable worker.
 *
 * - A few commands run at the same time, one per session, over the project's files as they were when each began. The others wait in the order of the
 *   calls, and can be aborted at once. Commands begin one after another (see `beginApart`), and their changes are committed one after another.
 * - A worker runs the commands of one session only. So no other session meets what a command leaves in it, such as files in `/tmp`; see
 *   `docs/decisions/one-dialogs-code.md`.
 * - A command that does not stop is stopped by killing its worker. The next command gets a new worker with the project's files. It is created as soon
 *   as the killed command's outcome is on its way, so that stopping a command does not wait for it. The outcome has the changes that the
 *   killed command made and the output that it had shown.
 * - From the first long command on, one more worker is kept ready with its script loaded and without files. It takes some megabytes: loading the
 *   script is most of the cost of a new worker.
 * - While a command waits for the user's answer, it has no time limit and blocks no other command.
 */
export function embeddedSandbox({
  files,
  createWorker,
  timers,
  assets: fetched,
  asker,
  policy,
  programs,
}: EmbeddedSandboxOptions): EmbeddedSandbox {
  const assets = withPython(fetched, createWorker);
  const places = new Map<string, Place>();
  /** The worker of each session, the most recently used last. */
  const workers = new Map<string, ShellWorker>();
  const ports = createDialogPorts(timers);
  /** What each session's worker runs, or ran last. */
  const commands = new Map<string, string>();
  /** Sessions whose worker held files outside the project when a command last ended in it. */
  const haveOutside = new Set<string>();
  /** Sessions that must be told that such files are gone, with the next command that runs. */
  const owed = new Set<string>();
  /** A worker with the project's files that has run nothing. */
  let spare: ShellWorker | null = null;
  /** A worker with its script but without files, for the next session that needs one. */
  let next: ShellWorker | null = null;
  /** Whether to prepare a spare worker: a command was just killed, and the next one probably comes soon. */
  let wantsSpare = false;
  /** The sessions whose worker runs a command. */
  const running = new Set<string>();
  /** Of the background commands. */
  const followings = new Set<Following>();
  const starting = createStarting(timers, () => ports.servers());
  const queue = createCommandQueue(mostCommands);
  const takeBeginning = createTurns();
  const committingInTurn = createExclusive();
  const disposed = new AbortController();

  function start(): ShellWorker {
    const taken = next ?? startShellWorker(files, createWorker, assets, programs);
    next = null;
    taken.listener = null;
    return taken;
  }

  function makeNext(): void {
    if (next !== null || disposed.signal.aborted) return;
    const made = startShellWorker(files, createWorker, assets, programs);
    next = made;
    const drop = (): void => {
      made.terminate();
      if (next === made) next = null;
    };
    // Without it, the next session creates a worker and learns why that fails. The worker has nothing to say before it gets a command.
    made.listener = { crash: drop, message: drop };
  }

  /** Ends a session's worker: its files are outdated, it doesn't stop computing, or its slot is needed. */
  function end(session: string): void {
    workers.get(session)?.terminate();
    workers.delete(session);
  }

  function workerOf(session: string): ShellWorker {
    const shell = workers.get(session) ?? spare ?? start();
    // The programs of one dialog can reach each other, and no others.
    shell.join(ports.of(session, () => ({ background: null, command: commands.get(session) ?? "" })));
    if (shell === spare) spare = null;
    workers.delete(session);
    workers.set(session, shell);
    for (const oldest of workers.keys()) {
      if (workers.size <= mostWorkers) break;
      if (!running.has(oldest) && oldest !== session) end(oldest);
    }
    return shell;
  }

  /** Creates another worker and gives it the project's files before they are needed. */
  function makeSpare(): void {
    if (spare !== null || disposed.signal.aborted) return;
    const made = start();
    spare = made;
    // The next command makes the same request and learns why it fails.
    made.bringUpToDate().catch(() => undefined);
    const drop = (): void => {
      made.terminate();
      if (spare === made) spare = null;
    };
    // It has nothing to say before it gets a command.
    made.listener = { crash: drop, message: drop };
  }

  /** The worker is idle. If it fails now, no caller has to be told: the next command creates a new one. */
  function rest(shell: ShellWorker, session: string): void {
    shell.listener = {
      crash: () => workers.get(session) === shell && end(session),
      message({ type }) {
        // Something that a command left running has changed a file, and no one would store that change.
        if (workers.get(session) !== shell || !isChange(type)) return;
        end(session);
        makeSpare();
      },
    };
  }

  /** The message for a new worker's command if the previous worker had files that this one lacks. */
  function lossOf(session: string): string {
    if (!workers.has(session) && haveOutside.delete(session)) owed.add(session);
    return owed.has(session) ? filesGone : "";
  }

  /** The outcome of a command that may not run yet; null: it may run. */
  async function heldBack({ onOutput }: Pick<RunOptions, "onOutput">, signal: AbortSignal): Promise<RunOutcome | null> {
    const why = (await policy?.(signal, (text) => onOutput?.({ stream: "progress", text }))) ?? null;
    if (why === null && !signal.aborted) return null;
    return why === null ? stopped : { ...stopped, stderr: why, exitCode: 126, aborted: false };
  }

  /**
   * Gives the worker most of what it needs while other commands begin. From then on, the returned function tells why the worker has failed; null: it
   * has not.
   */
  function prepare(shell: ShellWorker): () => string | null {
    let failed: string | null = null;
    const crash = (why: string): void => void (failed ??= why);
    shell.listener = {
      crash,
      message: ({ type }) => (isChange(type) ? crash("it changed a file between two commands") : undefined),
    };
    // What can't be read now is read again when the command begins, which then reports the failure.
    shell.bringUpToDate().catch(() => undefined);
    return () => failed;
  }

  async function runNow(command: string, options: RunOptions, signal: AbortSignal, turn: CommandTurn): Promise<RunOutcome> {
    const held = await heldBack(options, signal);
    if (held !== null) return held;
    const { session } = options;
    const remarks = lossOf(session);
    const shell = workerOf(session);
    running.add(session);
    commands.set(session, command);
    let whyFailed = (): string | null => null;
    const giveBeginning = await takeBeginning(signal, () => (whyFailed = prepare(shell)));
    try {
      if (giveBeginning === null) {
        if (whyFailed() === null) rest(shell, session);
        else end(session);
        return stopped;
      }
      options.begins?.();
      return await runIn(shell, command, options, { signal, turn, remarks, failed: whyFailed(), giveBeginning });
    } finally {
      running.delete(session);
      giveBeginning?.();
    }
  }

  async function runIn(shell: ShellWorker, command: string, options: RunOptions, given: Beginning): Promise<RunOutcome> {
    const { session } = options;
    const { signal, turn, failed, giveBeginning } = given;
    let { remarks } = given;
    const startedAt = timers.now();
    const touched = createTouched();
    const place = places.get(session) ?? firstPlace;
    // The command may ask a background server about files that were stored before it began.
    await Promise.all([...followings].map((each) => each.catchUp()));
    let stopTimers = (): void => undefined;
    const ending = await runOneCommand(
      shell,
      {
        command,
        options: { ...options, ...(options.network && { network: starting.before(session, options.network) }) },
        signal,
        touched,
        liveCharacters,
        place,
        failed,
        started() {
          const stops = [timers.after(nextAfter, makeNext), timers.after(beginApart, giveBeginning)];
          stopTimers = () => {
            for (const stop of stops) stop();
          };
        },
        standsStill(still) {
          turn.standsStill(still);
          if (still) giveBeginning();
        },
      },
      timers,
    );
    stopTimers();
    if (ending.kind === "never") {
      rest(shell, session);
      return stopped;
    }
    owed.delete(session);
    const ms = Math.round(timers.now() - (ending.startedAt ?? startedAt));
    // Kill it first: it may compute, and someone waits for it to stop. The replacement is created after the answer.
    if (ending.kind === "lost") {
      end(session);
      wantsSpare = ending.why !== "crash";
    } else {
      rest(shell, session);
      const isTooMuch = sizeOf(ending.done.env) > mostExported;
      if (isTooMuch) remarks += tooMuchExported;
      places.set(session, { folder: ending.done.folder, env: isTooMuch ? place.env : ending.done.env });
      if (ending.done.outside === true) haveOutside.add(session);
      else haveOutside.delete(session);
    }
    const { stdout, stderr: printed, exitCode, limit, aborted } = ending.kind === "done" ? ending.done : lostOutcome(ending);
    const stderr = remarks + printed;
    const changed = touched.files();
    let changes: readonly SandboxChange[];
    try {
      changes = await changesOf(changed, shell, files);
    } finally {
      for (const { path } of changed) shell.markTouched(path);
    }
    const outcome = { stdout, stderr, exitCode, limit, aborted, ms, changes };
    await committingInTurn(async () => options.commit?.(outcome));
    return outcome;
  }

  async function run(command: string, options: RunOptions): Promise<RunOutcome> {
    const signal = AbortSignal.any([options.signal, disposed.signal]);
    let hasWaited = false;
    const turn = await queue.enter(options.session, signal, () => {
      hasWaited = true;
      options.onOutput?.({ stream: "progress", text: waitsForTurn });
      options.waits?.();
    });
    if (turn === null) return stopped;
    if (hasWaited) options.onOutput?.({ stream: "progress", text: "" });
    try {
      return await runNow(command, options, signal, turn);
    } finally {
      turn.leave();
      if (wantsSpare) timers.after(0, makeSpare);
      wantsSpare = false;
    }
  }

  async function runInBackground(command: string, options: BackgroundOptions): Promise<RunOutcome> {
    const signal = AbortSignal.any([options.signal, disposed.signal]);
    const held = await heldBack(options, signal);
    if (held !== null) return held;
    const startedAt = timers.now();
    const touched = createTouched();
    starting.begins(options.session, options.id);
    const shell = start();
    shell.join(ports.of(options.session, () => ({ background: options.id, command })));
    /** Files that someone else changed as well. What becomes of them is reported once, at the end. */
    const apart = new Set<Path>();
    /** Files whose state could not be determined; they are checked again at the end. */
    const missed = new Set<Path>();

    /** Files that it changed and that are being stored. */
    const storing = new Set<Path>();

    async function commitAll(given: readonly TouchedFile[]): Promise<readonly SandboxChange[]> {
      // A part of what was appended may already be stored.
      const changes = await changesOf(
        given.map((file) => ({ ...file, keeps: null })),
        shell,
        files,
      );
      if (changes.length === 0) return changes;
      await options.commitChanges(changes);
      for (const batch of batches(changes, ({ bytes }) => bytes?.length ?? 0, comparedAtOnce)) {
        const contents = await files.readMany(batch.map(({ path }) => path));
        for (const [nth, { path, bytes }] of batch.entries()) {
          const now = contents[nth] ?? null;
          if (bytes === null ? now === null : now !== null && equalBytes(now.bytes, bytes)) shell.markGiven(path, now?.version ?? null);
          else apart.add(path);
        }
      }
      return changes;
    }

    let stopTimer = (): void => undefined;
    let committing: Promise<unknown> = Promise.resolve();
    const plan = (): void => {
      stopTimer = timers.after(options.commitEveryMs, () => {
        const fresh = touched.takeFresh().filter(({ path }) => !apart.has(path));
        for (const { path } of fresh) storing.add(path);
        committing = commitAll(fresh)
          .catch(() => {
            for (const { path } of fresh) missed.add(path);
          })
          .then(() => storing.clear())
          .then(plan);
      });
    };
    plan();
    const place = places.get(options.session) ?? firstPlace;
    const isOwn = (path: Path): boolean => touched.isFresh(path) || [storing, apart, missed].some((paths) => paths.has(path));
    let following: Following | null = null;
    const started = (): void => {
      following = followProject({ files, shell, timers, isOwn });
      followings.add(following);
    };
    const stopFollowing = (): void => {
      if (following === null) return;
      followings.delete(following);
      following.stop();
    };
    const ending = await runOneCommand(
      shell,
      { command, options, signal, touched, liveCharacters: liveCharactersBeside, place, started },
      timers,
    );
    stopFollowing();
    starting.ends(options.session, options.id);
    shell.terminate();
    if (ending.kind === "never") {
      stopTimer();
      return stopped;
    }
    stopTimer();
    await committing;
    stopTimer();
    const { stdout, stderr, exitCode, limit, aborted } = ending.kind === "done" ? ending.done : lostOutcome(ending);
    const fresh = new Set(touched.takeFresh().map(({ path }) => path));
    const changes = await commitAll(touched.files().filter(({ path }) => fresh.has(path) || apart.has(path) || missed.has(path)));
    return { stdout, stderr, exitCode, limit, aborted, ms: Math.round(timers.now() - (ending.startedAt ?? startedAt)), changes };
  }

  return {
    run,
    runInBackground,
    ports,
    ...(asker ? { simpleCommands: (command: string) => asker.ask("simple", command) } : {}),
    dispose() {
      disposed.abort();
      asker?.dispose();
      next?.terminate();
      spare?.terminate();
      for (const session of workers.keys()) end(session);
    },
  };
}

/** A command that may begin. */
interface Beginning {
  readonly signal: AbortSignal;
  readonly turn: CommandTurn;
  /** Remarks for the person who typed the command. */
  readonly remarks: string;
  /** Why its worker failed; null: it did not. */
  readonly failed: string | null;
  /** Lets the next command begin. */
  readonly giveBeginning: () => void;
}

function isChange(type: string): boolean {
  return type === "write" || type === "append" || type === "remove";
}

function sizeOf(env: Place["env"]): number {
  return Object.entries(env).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}
