import { readTime } from "../time.ts";

/** A time, and whether the text gives it for the event itself. */
export interface Moment {
  readonly time: string;
  readonly exact: boolean;
}

/** Tracks the time while events are read in order. An event without its own time gets the time of the last thing before it. */
export class Clock {
  #last: string;
  constructor(last: string) {
    this.#last = last;
  }

  /** The moment of something that happened at `time`, according to the text. */
  at(time: string | null): Moment {
    const said = readTime(time);
    if (said === null) return this.now();
    this.#last = said;
    return { time: said, exact: true };
  }

  /** The moment of something for which the text gives no time. */
  now(): Moment {
    return { time: this.#last, exact: false };
  }
}
