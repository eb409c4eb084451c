import type { Path } from "../../fs/path.ts";
import type { SandboxFiles } from "../sandbox.ts";
import type { Timers } from "../timers.ts";
import { isDialogPath } from "../../protocol/write-rules.ts";
import { deferred } from "./deferred.ts";
import type { ShellWorker } from "./shell-worker.ts";

/** Milliseconds between a change of the project and the check for it, so that several changes are handled together. */
const followAfter = 100;
/** Milliseconds that another command waits for it. */
const mostWait = 200;

export interface FollowedProject {
  readonly files: Pick<SandboxFiles, "watch">;
  readonly shell: Pick<ShellWorker, "follow">;
  readonly timers: Timers;
  /** Whether the command's own change of the file is not stored yet, or is kept separate. */
  readonly isOwn: (path: Path) => boolean;
}

export interface Following {
  /** Settles when the command has everything that was stored until now, or when it has not taken it in time because it computes. */
  catchUp(): Promise<void>;
  stop(): void;
}

/** Sends a long-running command what others change in the project. */
export function followProject({ files, shell, timers, isOwn }: FollowedProject): Following {
  let isOver = false;
  let isPlanned = false;
  let stopTimer = (): void => undefined;
  let last: Promise<void> = Promise.resolve();

  function look(): void {
    stopTimer();
    isPlanned = false;
    // If reading fails now, it is repeated with the next change; nothing of the command's own depends on it.
    last = shell.follow(isOwn).catch(() => undefined);
  }

  function plan(): void {
    if (isPlanned || isOver) return;
    isPlanned = true;
    stopTimer = timers.after(followAfter, look);
  }

  // Catches up on what changed since the command got its files.
  plan();
  const stopWatching = files.watch?.((events) => {
    // A dialog changes with every token, and is read when a command asks for it.
    if (events.some((event) => !isDialogPath(event.kind === "renamed" ? event.to : event.path))) plan();
  });
  return {
    async catchUp() {
      if (isPlanned) look();
      const { promise, resolve } = deferred<void>();
      const stopWaiting = timers.after(mostWait, resolve);
      await Promise.race([last, promise]);
      stopWaiting();
    },
    stop() {
      isOver = true;
      stopTimer();
      stopWatching?.();
    },
  };
}
