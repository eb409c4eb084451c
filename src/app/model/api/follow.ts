import type { Answer } from "./calls.ts";

/** Milliseconds before an ended stream is opened again: the first wait, and the longest. */
const wait = { first: 250, longest: 5_000 };

export interface Follower<T> {
  /** Opens the stream. Called again whenever it has ended. */
  readonly open: (signal: AbortSignal) => Promise<Answer<Response>>;
  /** Returns false if nothing more is expected. */
  readonly frame: (frame: T) => boolean;
  /** True while there is no connection. Called at each change. */
  readonly lost: (lost: boolean) => void;
  /** Called once if the subject does not exist. */
  readonly missing: () => void;
}

/** The parser isn't part of the first load: it loads while the stream is being opened. Null: it could not be loaded. */
async function loadFrames(): Promise<typeof import("./frames.ts") | null> {
  try {
    return await import("./frames.ts");
  } catch (error) {
    console.warn("stream", error);
    return null;
  }
}

/** Keeps a stream of frames open until the signal aborts, its subject is gone, or `frame` returns false. */
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
        // A broken stream is opened again below. Its last state stays on the screen until then.
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
