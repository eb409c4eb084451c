import { type Accessor, createSignal, onCleanup } from "solid-js";
import { onChange } from "../ui/on-change.ts";

/** Events per second. */
export const speeds = [1, 4, 16] as const;
export type Speed = (typeof speeds)[number];

const second = 1000;

export interface PlaybackDeps {
  /** The number of events. */
  readonly end: Accessor<number>;
  /** The number of events at the shown moment; null: the present, after all events. */
  readonly past: Accessor<number | null>;
  readonly go: (past: number | null) => void;
  /** Whether reduced motion is preferred: the screen then changes once a second, at any speed. */
  readonly calm: () => boolean;
  /** Calls `then` once after `ms`. Returns a function that cancels it. */
  readonly later: (then: () => void, ms: number) => () => void;
}

/** Replays the events of a run one after another, until the owner is disposed. The replay ends in the present. */
export function createPlayback({ end, past, go, calm, later }: PlaybackDeps) {
  const [playing, setPlaying] = createSignal(false);
  const [speed, setSpeed] = createSignal<Speed>(1);
  /** Whether the last replay reached its end. */
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
  // The user chose the present elsewhere, or another run.
  onChange(past, (now) => now === null && playing() && pause(), { defer: true });
  onCleanup(() => stop());

  return {
    playing,
    speed,
    ended,
    pause,
    /** Plays from the shown moment, or from the first event if the present is shown. */
    play() {
      if (end() === 0) return;
      setEnded(false);
      setPlaying(true);
      if (past() === null) go(0);
      wait();
    },
    /** Takes effect at once, also during a replay. */
    setSpeed(next: Speed) {
      setSpeed(next);
      if (playing()) wait();
    },
  };
}
