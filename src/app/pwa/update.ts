import { createSignal } from "solid-js";

/** A newer version that is installed and waits. */
export interface Update {
  /** Lets it take over, or, where it has taken over, reloads this page. */
  apply(): void;
  /** Another tab has let it take over: this one is reloaded as soon as its agents are done. */
  readonly taken?: true;
}

const [update, offerUpdate] = createSignal<Update | null>(null);
/** Whether agents of this tab's project are at work: a reload would break off their turns. */
const [isWorking, setWorking] = createSignal(false);

export { isWorking, offerUpdate, setWorking, update };
