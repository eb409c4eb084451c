import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";

/** Events a second, times this. */
export const speeds = [1, 4, 16] as const;
export type Speed = (typeof speeds)[number];

const second = 1000;

export interface PlaybackDeps {
  /** How many events there are. */
  readonly end: Accessor<number>;
  /** After how many events the run shows; null: the present, which is after all. */
  readonly past: Accessor<number | null>;
  readonly go: (past: number | null) => void;
  /** Less may move: what shows changes once a second, at any speed. */
  readonly calm: () => boolean;
  /** Calls `then` once after `ms`; returns the way to stop it. */
  readonly later: (then: () => void, ms: number) => () => void;
}

/** Replays the events of a run one after the other, for the life of the owner. It ends in the present. */
export function createPlayback({ end, past, go, calm, later }: PlaybackDeps) {
  const [playing, setPlaying] = createSignal(false);
  const [speed, setSpeed] = createSignal<Speed>(1);
  /** Whether the last replay came to its end. */
  const [ended, setEnded] = createSignal(false);
  let stop = () => {};

  function wait() {
    stop();
    const often = calm() ? 1 : speed();
    const events = speed() / often;
    stop = later(() => step(events), second / often);
  }
  function step(events: number) {
    const to = (past() ?? end()) + events;
    if (to < end()) {
      go(to);
      return wait();
    }
    go(null);
    pause();
    setEnded(true);
  }
  function pause() {
    stop();
    setPlaying(false);
  }
  // Elsewhere the present was chosen, or another run.
  createEffect(on(past, (now) => now === null && playing() && pause(), { defer: true }));
  onCleanup(() => stop());

  return {
    playing,
    speed,
    ended,
    pause,
    /** From the moment that shows; from the first event where that is the present. */
    play() {
      if (end() === 0) return;
      setEnded(false);
      setPlaying(true);
      if (past() === null) go(0);
      wait();
    },
    /** Holds at once, also while it plays. */
    setSpeed(next: Speed) {
      setSpeed(next);
      if (playing()) wait();
    },
  };
}
