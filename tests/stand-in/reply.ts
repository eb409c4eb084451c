/** One response that a test wants, the same for every wire. Each wire has its own stream format. */
export interface Reply {
  readonly blocks: readonly ReplyBlock[];
  /** After the blocks, the model refuses in these words. */
  readonly refusal?: string;
  /** The wire's own stop reason. By default the usual one for a response with or without a call. */
  readonly stop?: string | null;
  /** By default 10 in, 5 out. Null: the server reports none. */
  readonly usage?: ReplyUsage | null;
}

/** Separate counts of tokens. On some wires the input is the sum of the first three. */
export interface ReplyUsage {
  readonly input: number;
  readonly cacheWrite?: number;
  readonly cacheRead?: number;
  readonly output: number;
}

export type ReplyBlock =
  | { readonly text: string }
  /** `json` is the text on the wire; by default `input` as JSON. `open`: the call was incomplete when the response ended. */
  | { readonly call: string; readonly id?: string; readonly input?: unknown; readonly json?: string; readonly open?: true }
  /** As the newest models send it: without readable content. */
  | { readonly thinking: true }
  /** A block of an unknown kind. */
  | { readonly unknown: true };

export function say(text: string): Reply {
  return { blocks: [{ text }] };
}

/** Cuts a text into pieces of three code points, so that it has several deltas. */
export function pieces(text: string): string[] {
  const points = Array.from(text);
  const cut: string[] = [];
  for (let at = 0; at < points.length; at += 3) cut.push(points.slice(at, at + 3).join(""));
  return cut;
}
