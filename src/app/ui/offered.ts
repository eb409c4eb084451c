import { createSignal, onCleanup } from "solid-js";
import type { Command } from "./commands.ts";

/** What a part of the screen can do now. */
export interface Offer {
  readonly commands: () => readonly Command[];
  /** What the commands act on, if their labels don't say it: the name of a file or a dialog. */
  readonly about?: () => string;
  /** Higher ranks come later. 0, the default: for what is open; 1: for the list that it was chosen from; 2: for what is beside both. */
  readonly rank?: 0 | 1 | 2;
}

const [offers, setOffers] = createSignal<readonly Offer[]>([]);

/** What the parts of the screen can do, in the order in which they were offered. */
export { offers };

/**
 * Lets the palette find commands until the owner is disposed, because only visible parts are in the page. Never for decisions that have to be read
 * first.
 */
export function offer(one: Offer): void {
  setOffers((now) => [...now, one]);
  onCleanup(() => setOffers((now) => now.filter((other) => other !== one)));
}
