import { trustedWorker } from "../trusted-worker.ts";
import url from "./embedded/worker.ts?worker&url";

export function createShellWorker(): Worker {
  return trustedWorker(url, "shell");
}
