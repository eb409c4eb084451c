import type { SandboxFiles } from "../sandbox.ts";
import { deferred } from "../embedded/deferred.ts";
import type { Timers } from "../timers.ts";
import { installFromLocks } from "./install.ts";
import type { RunningContainer, WebContainerLink } from "./link.ts";
import { createMirror, type Mirror } from "./mirror.ts";
import { scriptFolder } from "./outside.ts";
import { createLineReader } from "./script-protocol.ts";
import { abortOf } from "../turns.ts";

/** A WebContainer that has the project's files, its packages and the shell. */
export interface Running {
  readonly container: RunningContainer;
  readonly mirror: Mirror;
  /** The absolute path of the project's folder. */
  readonly folder: string;
  /** The path of the shell's script. */
  readonly script: string;
  /** What could not be restored, shown with the first command. */
  readonly remarks: readonly string[];
}

export interface BootParts {
  readonly link: WebContainerLink;
  readonly files: SandboxFiles;
  readonly timers: Timers;
  /** Loads the script's text; see `script/`. */
  readonly loadScript: () => Promise<Uint8Array>;
  readonly progress: (line: string) => void;
  /** Called when the WebContainer has booted; files and packages are still to come. */
  readonly booted: () => void;
  /** Called before packages are installed; aborting the returned signal skips them. */
  readonly installing: () => AbortSignal;
}

/** Milliseconds for loading the script. */
const loadLimit = 30_000;

/** Milliseconds for the script to move itself out of the project. */
const moveLimit = 30_000;

/** Rejects with a sentence if the WebContainer isn't available. */
export async function boot({ link, files, timers, loadScript, progress, booted: hasBooted, installing }: BootParts): Promise<Running> {
  progress("the WebContainer starts");
  const container = link.container();
  const [folder, script] = await Promise.race([Promise.all([bootNow(link), within(loadScript(), timers)]), endOf(container.life)]);
  hasBooted();
  const brought = await container.put([{ path: `${scriptFolder}/shell.mjs`, bytes: script }]);
  if (!brought.ok) throw new Error(`the shell could not be brought in: ${brought.why}`);
  const place = await moveScript(container, timers);
  if (!place.includes(`/${scriptFolder}/`)) await container.remove([scriptFolder]);
  const mirror = createMirror(container, files);
  // Files left over from a failed start are not the project's.
  await mirror.adopt();
  await mirror.bringIn((done, of) => progress(`the project's files are brought in: ${done} of ${of}`));
  const remarks = await installFromLocks({ container, files, timers, progress, installing });
  return { container, mirror, folder, script: place, remarks };
}

/** Returns the project's folder in the WebContainer. */
async function bootNow(link: WebContainerLink): Promise<string> {
  const booted = await link.boot();
  if (!booted.ok) throw new Error(booted.why);
  return booted.answer.folder;
}

async function endOf(life: AbortSignal): Promise<never> {
  await abortOf(life);
  throw new Error(String(life.reason));
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

/** Returns the script's new path. */
async function moveScript(container: RunningContainer, timers: Timers): Promise<string> {
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
  const process = container.start("node", [`${scriptFolder}/shell.mjs`, "--install"], {
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
