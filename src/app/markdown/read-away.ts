import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";
import { limitedWorker } from "./limited-worker.ts";
import type { ReadAnswer, ReadOrder } from "./read-worker.ts";
import url from "./read-worker.ts?worker&url";

/** Milliseconds until a text is given up and shows as written. */
const patience = 1_500;

/** Parses Markdown in a worker. The receiver gets each answer; null: it took too long, or there is no worker. */
export const readAway = limitedWorker<ReadOrder, ReadAnswer>(
  () => new Worker(trustedWorkerUrl(url), { type: "module", name: "markdown" }),
  patience,
  ({ end }) => end !== null,
);
