import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";
import { limitedWorker } from "../markdown/limited-worker.ts";
import { compare, type Compared, notCompared } from "./diff.ts";
import type { DiffDone, DiffOrder } from "./diff-worker.ts";
import url from "./diff-worker.ts?worker&url";

/** Milliseconds after which two texts are not compared. */
const patience = 3_000;
/** UTF-16 units of both texts that the page compares itself. */
const here = 8_192;

const order = limitedWorker<DiffOrder, DiffDone>(
  () => new Worker(trustedWorkerUrl(url), { type: "module", name: "diff" }),
  patience,
  () => true,
);

/**
 * Compares short texts at once and others in a worker. `first`: the number of their first line, null where it is not known. The receiver
 * may be called before this returns.
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
