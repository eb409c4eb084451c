import { Modal } from "../shell/Modal.tsx";
import type { Starter } from "./start.ts";

/** Shown when there is no key: the demo is said to be one. */
export default function StartDialog(props: { starter: Starter; ownKey: () => void }) {
  return (
    <Modal title="Start an agent" close={() => props.starter.cancel()}>
      <p>
        Agents think with the help of a provider, and a provider wants a key. You have none here yet. The demo needs none: it is scripted,
        it plays through a little game as a real agent would, and it asks you before it does anything.
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void props.starter.startWith("demo")}>
          Play the demo
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            props.starter.cancel();
            props.ownKey();
          }}
        >
          Use my own key
        </button>
      </div>
    </Modal>
  );
}
