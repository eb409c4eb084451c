import type { SandboxFiles } from "../sandbox.ts";
import { deferred } from "../embedded/deferred.ts";
import type { Timers } from "../embedded/embedded.ts";
import { installFromLocks } from "./install.ts";
import type { ComputerLink } from "./link.ts";
import { createMirror, type Mirror } from "./mirror.ts";
import { scriptFolder } from "./outside.ts";
import { createLineReader } from "./script-protocol.ts";

/** A computer that has the project's files, its packages and the shell. */
export interface Running {
  readonly mirror: Mirror;
  /** The project's folder, absolute. */
  readonly folder: string;
  /** Where the shell's script is. */
  readonly script: string;
  /** For whoever types the first command: what could not be put back. */
  readonly remarks: readonly string[];
}

export interface BootParts {
  readonly link: ComputerLink;
  readonly files: SandboxFiles;
  readonly timers: Timers;
  /** The script's text; see `script/`. */
  readonly loadScript: () => Promise<Uint8Array>;
  readonly progress: (line: string) => void;
  /** The computer is there; files and packages are still to come. */
  readonly booted: () => void;
  /** Packages are about to be installed; the signal leaves them out. */
  readonly installing: () => AbortSignal;
}

/** Milliseconds for the script to be loaded. */
const loadLimit = 30_000;

/** Milliseconds for the script to move to its place. */
const moveLimit = 30_000;

/** Rejects with a sentence when the computer can't be had. */
export async function boot({ link, files, timers, loadScript, progress, booted: hasBooted, installing }: BootParts): Promise<Running> {
  progress("the WebContainer starts");
  const [booted, script] = await Promise.all([link.boot(), within(loadScript(), timers)]);
  if (!booted.ok) throw new Error(booted.why);
  hasBooted();
  const brought = await link.put([{ path: `${scriptFolder}/shell.mjs`, bytes: script }]);
  if (!brought.ok) throw new Error(`the shell could not be brought in: ${brought.why}`);
  const place = await moveScript(link, timers);
  if (!place.includes(`/${scriptFolder}/`)) await link.remove([scriptFolder]);
  const mirror = createMirror(link, files);
  // What is left in it of a start that failed is not the project's.
  await mirror.adopt();
  await mirror.bringIn((done, of) => progress(`the project's files are brought in: ${done} of ${of}`));
  const remarks = await installFromLocks({ link, files, timers, progress, installing });
  return { mirror, folder: booted.answer.folder, script: place, remarks };
}

async function within(loading: Promise<Uint8Array>, timers: Timers): Promise<Uint8Array> {
  let stopTimer = (): void => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    stopTimer = timers.after(loadLimit, () => reject(new Error(`the shell's script did not come within ${loadLimit / 1000} s`)));
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    stopTimer();
  }
}

/** Where it is then. */
async function moveScript(link: ComputerLink, timers: Timers): Promise<string> {
  const { promise, resolve } = deferred<{ readonly path: string } | { readonly why: string }>();
  let stray = "";
  const reader = createLineReader({
    line: (message) => {
      if (message.type === "installed") resolve({ path: message.path });
    },
    stray: (text) => {
      stray = (stray + text).slice(-2_000);
    },
  });
  const process = link.start("node", [`${scriptFolder}/shell.mjs`, "--install"], {
    output: (text) => reader.take(text),
    exit: (code, why) => resolve({ why: `${why} ${code === null ? "" : `exit code ${code}`} ${stray}`.trim() }),
  });
  const stopTimer = timers.after(moveLimit, () => {
    process.kill();
    resolve({ why: `it did not answer within ${moveLimit / 1000} s` });
  });
  const moved = await promise;
  stopTimer();
  if ("why" in moved) throw new Error(`the shell could not be started in the WebContainer: ${moved.why}`);
  return moved.path;
}
