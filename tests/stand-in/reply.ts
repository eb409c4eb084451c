/** One response as a test wants it, the same for every wire; each wire has its own way of writing it as a stream. */
export interface Reply {
  readonly blocks: readonly ReplyBlock[];
  /** Behind the blocks the model refuses in its own words. */
  readonly refusal?: string;
  /** The wire's own word for how the response ended. Left out: what the wire says of a response with or without a call. */
  readonly stop?: string | null;
  /** Left out: 10 in, 5 out. null: the server reports none. */
  readonly usage?: ReplyUsage | null;
}

/** Tokens, apart from each other: what a wire calls its input may be the sum of the first three. */
export interface ReplyUsage {
  readonly input: number;
  readonly cacheWrite?: number;
  readonly cacheRead?: number;
  readonly output: number;
}

export type ReplyBlock =
  | { readonly text: string }
  /** `json` is what stands on the wire; left out, `input` as JSON. `open`: the call was not whole when the response ended. */
  | { readonly call: string; readonly id?: string; readonly input?: unknown; readonly json?: string; readonly open?: true }
  /** As the newest models send it: nothing that can be read. */
  | { readonly thinking: true }
  /** Something of a kind that is not known yet. */
  | { readonly unknown: true };

export function say(text: string): Reply {
  return { blocks: [{ text }] };
}

/** Cut at code points, three at a time, so that a text has several deltas. */
export function pieces(text: string): string[] {
  const points = Array.from(text);
  const cut: string[] = [];
  for (let at = 0; at < points.length; at += 3) cut.push(points.slice(at, at + 3).join(""));
  return cut;
}
