import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";
import { limitedWorker } from "../markdown/limited-worker.ts";
import { compare, type Compared, notCompared } from "./diff.ts";
import type { DiffDone, DiffOrder } from "./diff-worker.ts";
import url from "./diff-worker.ts?worker&url";

/** Milliseconds until a comparison is given up. */
const patience = 3_000;
/** Texts with up to this many UTF-16 units together are compared in the page itself. */
const here = 8_192;

const order = limitedWorker<DiffOrder, DiffDone>(
  () => new Worker(trustedWorkerUrl(url), { type: "module", name: "diff" }),
  patience,
  () => true,
);

/**
 * Compares short texts at once and long ones in a worker. `first`: the number of their first line, null if it isn't known. May call `take` before it
 * returns.
 */
export function compareAway(
  { before, after, first }: Pick<DiffOrder, "before" | "after" | "first">,
  take: (compared: Compared) => void,
): void {
  if ((before?.length ?? 0) + (after?.length ?? 0) <= here) take(compare(before, after, first));
  else
    order(
      (id) => ({ id, before, after, first }),
      (done) => take(done ?? notCompared(before, after)),
    );
}
