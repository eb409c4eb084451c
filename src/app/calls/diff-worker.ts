/** Compares texts in a worker, so that a slow comparison doesn't block the page and can be stopped. */
import { compare, type Compared } from "./diff.ts";

export interface DiffOrder {
  readonly id: number;
  readonly before: string | null;
  readonly after: string | null;
  readonly first: number | null;
}
export interface DiffDone extends Compared {
  readonly id: number;
}

addEventListener("message", ({ data: { id, before, after, first } }: MessageEvent<DiffOrder>) => {
  postMessage({ id, ...compare(before, after, first) } satisfies DiffDone);
});
