/** Compares texts away from the page: two that take too long hold up no one, and can be given up. */
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
