import { Modal } from "../ui/Modal.tsx";
import * as t from "../texts/start-choice.ts";
import type { Starter } from "./start.ts";

/** Shown if there is no key. Offers the demo and says that it is one. */
export default function StartDialog(props: { starter: Starter; ownKey: () => void }) {
  return (
    <Modal title={t.title} close={() => props.starter.cancel()}>
      <p>{t.noKeyYet}</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void props.starter.startWith("demo")}>
          {t.playDemo}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            props.starter.cancel();
            props.ownKey();
          }}
        >
          {t.ownKey}
        </button>
      </div>
    </Modal>
  );
}
