import { createSignal } from "solid-js";

/** A newer version that is installed and waiting. */
export interface Update {
  /** Lets it take over, or reloads this page if it already has. */
  apply(): void;
  /** Another tab has applied it: this tab reloads as soon as its agents are done. */
  readonly taken?: true;
}

const [update, offerUpdate] = createSignal<Update | null>(null);
/** Whether agents of this tab's project are working: a reload would interrupt their turns. */
const [isWorking, setWorking] = createSignal(false);

export { isWorking, offerUpdate, setWorking, update };
