import { trustedWorker } from "./trusted-worker.ts";
// oxlint-disable-next-line import/default -- the bundler makes it.
import url from "./embedded/worker.ts?worker&url";

/** The address of the worker's script. */
export const shellScript = url;

export function createShellWorker(): Worker {
  return trustedWorker(url, "shell");
}
