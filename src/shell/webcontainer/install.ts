import type { SandboxFiles } from "../sandbox.ts";
import { deferred } from "../embedded/deferred.ts";
import type { Timers } from "../timers.ts";
import type { RunningContainer } from "./link.ts";
import { isOutside } from "./outside.ts";

/** Milliseconds for all installs together. */
const installLimit = 180_000;
/** UTF-16 units of npm's last output that a failure message shows. */
const saidKept = 600;

const stopped = "it was stopped with the command that wanted them; npm ci installs them";

export interface InstallParts {
  readonly container: RunningContainer;
  readonly files: SandboxFiles;
  readonly timers: Timers;
  readonly progress: (line: string) => void;
  /** Called before packages are installed; aborting the returned signal skips them. */
  readonly installing: () => AbortSignal;
}

/**
 * Restores the packages that npm had installed, which no project stores: runs `npm ci` next to every lock file. Returns a line for the user about
 * each failure. Never rejects.
 */
export async function installFromLocks({ container, files, timers, progress, installing }: InstallParts): Promise<readonly string[]> {
  const locks = (await files.list())
    .map(({ path }) => path)
    .filter((path) => /(?:^|\/)package-lock\.json$/.test(path) && !isOutside(path))
    .toSorted();
  if (locks.length === 0) return [];
  const signal = installing();
  const failed: string[] = [];
  const until = timers.now() + installLimit;
  for (const lock of locks) {
    const folder = lock.slice(0, -"package-lock.json".length) || "./";
    if (!signal.aborted) progress(`installing packages: npm ci in ${folder}`);
    const why = signal.aborted ? stopped : await npmCi(container, folder, { timers, signal, until });
    if (why !== null) failed.push(`the packages of ${lock} could not be installed: ${why}`);
  }
  return failed;
}

/** Null: success. Otherwise why it failed. */
async function npmCi(
  container: RunningContainer,
  folder: string,
  { timers, signal, until }: { readonly timers: Timers; readonly signal: AbortSignal; readonly until: number },
): Promise<string | null> {
  const { promise, resolve } = deferred<string | null>();
  let said = "";
  const npm = container.start("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--prefix", folder], {
    output: (text) => {
      said = (said + text).slice(-saidKept);
    },
    exit: (code, why) =>
      resolve(code === 0 ? null : `${code === null ? why : `npm ci ended with exit code ${code}`}\n${said.trim()}`.trim()),
  });
  const stop = (why: string): void => {
    npm.kill();
    resolve(why);
  };
  const onAbort = (): void => stop(stopped);
  const stopTimer = timers.after(Math.max(0, until - timers.now()), () => stop(`all of them took longer than ${installLimit / 1000} s`));
  signal.addEventListener("abort", onAbort);
  const why = await promise;
  signal.removeEventListener("abort", onAbort);
  stopTimer();
  return why;
}
