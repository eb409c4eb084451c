import type { Answer } from "./calls.ts";

/** Milliseconds before a stream that ended is opened again: the first wait, and the longest. */
const wait = { first: 250, longest: 5_000 };

export interface Follower<T> {
  /** Opens the stream; called again whenever it ended. */
  readonly open: (signal: AbortSignal) => Promise<Answer<Response>>;
  /** Answers false when there is nothing more to come. */
  readonly frame: (frame: T) => boolean;
  /** True while there is no connection; called at each change. */
  readonly lost: (lost: boolean) => void;
  /** Called once when the thing followed does not exist. */
  readonly missing: () => void;
}

/** The parser is no part of the first load: it comes while the stream is being opened. Null: it did not come. */
async function loadFrames(): Promise<typeof import("./frames.ts") | null> {
  try {
    return await import("./frames.ts");
  } catch (error) {
    console.warn("stream", error);
    return null;
  }
}

/** Keeps a stream of frames open until the signal aborts, its subject is gone, or `frame` answers false. */
export async function follow<T>(follower: Follower<T>, signal: AbortSignal): Promise<void> {
  let pause = wait.first;
  while (!signal.aborted) {
    const [answer, parser] = await Promise.all([follower.open(signal), loadFrames()]);
    if (signal.aborted) return;
    if (answer.ok && parser !== null) {
      try {
        for await (const frame of parser.frames<T>(answer.value)) {
          if (signal.aborted) return;
          pause = wait.first;
          follower.lost(false);
          if (!follower.frame(frame)) return;
        }
      } catch (error) {
        // A stream that breaks is opened again below; the state that it showed stays on the screen meanwhile.
        if (!signal.aborted) console.warn("stream", error);
      }
    } else if (answer.ok) await answer.value.body?.cancel();
    else if (answer.kind === "missing") return follower.missing();
    if (signal.aborted) return;
    follower.lost(true);
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, wait.longest);
  }
}
