import { readTime } from "../time.ts";

/** A time, and whether the text says it of the event itself. */
export interface Moment {
  readonly time: string;
  readonly exact: boolean;
}

/** Tells the time while events are read in their order: what has none of its own happened when the last thing before it did. */
export class Clock {
  #last: string;
  constructor(last: string) {
    this.#last = last;
  }

  /** The moment of something that the text says happened at `time`. */
  at(time: string | null): Moment {
    const said = readTime(time);
    if (said === null) return this.now();
    this.#last = said;
    return { time: said, exact: true };
  }

  /** The moment of something of which the text says no time. */
  now(): Moment {
    return { time: this.#last, exact: false };
  }
}
