import { sectionTime } from "../edit.ts";
import type { Dialog } from "../model.ts";
import { sectionAt } from "../sections.ts";

/** A time, and whether the text says it of the event itself. */
export interface Moment {
  readonly time: string;
  readonly exact: boolean;
}

/** `time` when it is a time in ISO 8601 with a day and seconds; null for anything else, which a file may hold too. */
export function readTime(time: string | null): string | null {
  return time !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(time) && !Number.isNaN(Date.parse(time)) ? time : null;
}

/** The last time that the text says before section `index`; empty when it says none. */
export function timeBefore(dialog: Dialog, index: number): string {
  for (let at = index - 1; at >= 0; at--) {
    const section = sectionAt(dialog, at);
    const said = section && sectionTime(section);
    const time = said && (readTime(said.end) ?? readTime(said.start));
    if (time) return time;
  }
  return startOf(dialog) ?? "";
}

/** When the dialog began, as its header says it. */
export function startOf(dialog: Dialog): string | null {
  return readTime(dialog.head.find(({ key }) => key === "Started")?.value ?? null);
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
