import { createSignal, onCleanup } from "solid-js";
import type { Command } from "./commands.ts";

/** What a part of the screen can do now. */
export interface Offer {
  readonly commands: () => readonly Command[];
  /** What they are done to, where their labels don't say it: the name of a file or a dialog. */
  readonly about?: () => string;
  /** Greater ones come later: 0, where nothing is said, is for what is open; 1 for the list that it is chosen from; 2 for what stands beside both. */
  readonly rank?: 0 | 1 | 2;
}

const [offers, setOffers] = createSignal<readonly Offer[]>([]);

/** What the parts of the screen can do, in the order in which they came. */
export { offers };

/** Lets the palette find commands for as long as the owner lives: only what shows is in the page. Never what has to be read before it is decided. */
export function offer(one: Offer): void {
  setOffers((now) => [...now, one]);
  onCleanup(() => setOffers((now) => now.filter((other) => other !== one)));
}
