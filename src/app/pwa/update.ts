import { createSignal } from "solid-js";

/** A newer version that is installed and waits. `apply` lets it take over; every open page of the app is then reloaded. */
export interface Update {
  apply(): void;
}

const [update, offerUpdate] = createSignal<Update | null>(null);

export { offerUpdate, update };
